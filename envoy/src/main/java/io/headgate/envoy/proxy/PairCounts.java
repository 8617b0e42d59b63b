package io.headgate.envoy.proxy;

import io.headgate.agent.Gate;
import io.headgate.envoy.stage.Stage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What a proxy has counted of one caller and procedure that has not been reported yet. The thread
 * of the proxy's stream adds, the loop takes; neither waits for the other.
 */
final class PairCounts {

  private final Gate gate;
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLongArray drops = new AtomicLongArray(Stage.IN_ORDER.size());
  private volatile boolean changed;
  private volatile long seenNanos;

  /** A bit for each spelling that the proxy uses. */
  private final AtomicInteger spellings = new AtomicInteger();

  PairCounts(Gate gate, long nowNanos) {
    this.gate = gate;
    seenNanos = nowNanos;
  }

  Gate gate() {
    return gate;
  }

  /** The proxy writes the caller and the procedure so; says whether that is new. */
  boolean spell(Spelling spelling) {
    int bit = 1 << spelling.index();
    return (spellings.get() & bit) == 0 && (spellings.getAndUpdate(all -> all | bit) & bit) == 0;
  }

  /** Whether the proxy writes them so. */
  boolean isSpelled(Spelling spelling) {
    return (spellings.get() & 1 << spelling.index()) != 0;
  }

  void addRequests(long number, long nowNanos) {
    requests.addAndGet(number);
    seenNanos = nowNanos;
    changed = true;
  }

  void addDrops(Stage stage, long number) {
    drops.addAndGet(stage.ordinal(), number);
    changed = true;
  }

  /** When it was counted last. */
  long seenNanos() {
    return seenNanos;
  }

  /** Whether something was added since this was asked last. */
  boolean takeChanged() {
    boolean was = changed;
    changed = false;
    return was;
  }

  long takeRequests() {
    return requests.getAndSet(0);
  }

  long takeDrops(Stage stage) {
    return drops.getAndSet(stage.ordinal(), 0);
  }
}
