package io.headgate.simulator.world;

/** Measures how long a node really works, which takes no time in its world. */
public interface WorkMeter {

  /** Measures nothing. */
  WorkMeter NONE =
      new WorkMeter() {

        @Override
        public long begin(long aheadNanos) {
          return 0;
        }

        @Override
        public void end(long aheadNanos, long begun) {}
      };

  /**
   * A task begins.
   *
   * @param aheadNanos how long before, in the world's time, it was set for this time; 0 for what
   *     was to run at once, such as a message
   * @return what {@link #end} is to be given
   */
  long begin(long aheadNanos);

  /** The task has run. */
  void end(long aheadNanos, long begun);
}
