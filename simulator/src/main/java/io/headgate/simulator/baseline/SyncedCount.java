package io.headgate.simulator.baseline;

/**
 * One host's view of a count that all hosts share: what the others had when it last heard of them,
 * and its own. Between two synchronisations each host is blind to the others.
 */
final class SyncedCount {

  /**
   * What a host tells.
   *
   * @param window the window it is about
   * @param added what it admitted since it told last
   */
  record Told(long window, long added) {}

  /**
   * What it hears.
   *
   * @param window the window it is about
   * @param total what all hosts admitted in it, as far as is known
   */
  record Heard(long window, double total) {}

  private long window;
  private double shared;
  private long told;
  private long untold;

  /** Whether a request of now is within the limit, as far as this host knows; counts it if so. */
  boolean admits(long nowNanos, double limitPerWindow) {
    enter(nowNanos);
    boolean admitted = shared + told + untold < limitPerWindow;
    untold += admitted ? 1 : 0;
    return admitted;
  }

  /** What is to be told now. */
  Told tell(long nowNanos) {
    enter(nowNanos);
    Told news = new Told(window, untold);
    told += untold;
    untold = 0;
    return news;
  }

  /** Takes over the shared count, which has in it all that this host had told. */
  void hear(Heard heard) {
    if (heard.window() == window) {
      shared = heard.total();
      told = 0;
    }
  }

  /** A new window begins at nothing, and what was not told of the old one no longer matters. */
  private void enter(long nowNanos) {
    long now = WindowCount.window(nowNanos);
    if (now != window) {
      window = now;
      shared = 0;
      told = 0;
      untold = 0;
    }
  }
}
