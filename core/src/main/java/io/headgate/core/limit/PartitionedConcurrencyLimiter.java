package io.headgate.core.limit;

import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A limit of what is in use at the same time, and a smaller one for each of its partitions, such as
 * interactive and batch calls. Neither is ever passed. Lock-free.
 *
 * <p>Partitions whose limits add up to no more than the whole have theirs for certain; others
 * compete. A request may be denied for another one in the same partition that is itself denied in
 * the same instant.
 */
public final class PartitionedConcurrencyLimiter {

  private final ConcurrencyLimiter whole;
  private final Map<String, ConcurrencyLimiter> partitions;

  /**
   * @param limit permits of all partitions together, 1 to 2<sup>53</sup> - 1
   * @param partitions the permits of each partition, 1 to the limit
   * @throws IllegalArgumentException if one is out of range
   */
  public PartitionedConcurrencyLimiter(long limit, Map<String, Long> partitions) {
    whole = new ConcurrencyLimiter(limit);
    partitions.forEach((name, most) -> LimitBounds.range("partition " + name, most, 1, limit));
    this.partitions =
        partitions.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Map.Entry::getKey, each -> new ConcurrencyLimiter(each.getValue())));
  }

  /**
   * Takes permits until they are released.
   *
   * @param cost permits, 0 or more
   * @return the permits, or null if the partition or the whole has not enough
   * @throws IllegalArgumentException if the cost is negative or there is no such partition
   */
  public @Nullable Permits tryAcquire(String partition, long cost) {
    ConcurrencyLimiter part = part(partition);
    if (!part.tryTake(cost)) {
      return null;
    }
    // One compare-and-set decides on the whole, so no two requests can both take what is left of
    // it.
    if (!whole.tryTake(cost)) {
      part.giveBack(cost);
      return null;
    }
    return new Permits(part, cost);
  }

  /** The permits that could be taken now, over all partitions. */
  public long available() {
    return whole.available();
  }

  /**
   * The permits of a partition that are in use.
   *
   * @throws IllegalArgumentException if there is no such partition
   */
  public long inUse(String partition) {
    return part(partition).inUse();
  }

  private ConcurrencyLimiter part(String partition) {
    ConcurrencyLimiter part = partitions.get(partition);
    if (part == null) {
      throw new IllegalArgumentException(
          "partition: " + partition + " (expected: one of " + partitions.keySet() + ")");
    }
    return part;
  }

  /** Permits in use. Closing gives them back, once however often it is called. */
  public final class Permits implements AutoCloseable {

    private final ConcurrencyLimiter part;
    private final long count;
    private final AtomicBoolean released = new AtomicBoolean();

    private Permits(ConcurrencyLimiter part, long count) {
      this.part = part;
      this.count = count;
    }

    /** Gives the permits back unless that was done before. Any thread may call it. */
    @Override
    public void close() {
      if (released.compareAndSet(false, true)) {
        whole.giveBack(count);
        part.giveBack(count);
      }
    }
  }
}
