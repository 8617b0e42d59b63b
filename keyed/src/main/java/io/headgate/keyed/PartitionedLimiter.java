package io.headgate.keyed;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Limits requests of any type by what it finds in them.
 *
 * @param <R> the request
 */
public final class PartitionedLimiter<R> {

  private record Part<R>(NamedLimit limit, Function<R, String> key, ToLongFunction<R> cost) {}

  private final KeyedLimiter limiter;
  private final List<Part<R>> parts;

  private PartitionedLimiter(KeyedLimiter limiter, List<Part<R>> parts) {
    this.limiter = limiter;
    this.parts = List.copyOf(parts);
  }

  /** A limiter without limits yet; give it one at least. */
  public static <R> PartitionedLimiter<R> over(KeyedLimiter limiter) {
    return new PartitionedLimiter<>(limiter, List.of());
  }

  /** With one more limit, of one permit a request. */
  public PartitionedLimiter<R> with(NamedLimit limit, Function<R, String> key) {
    return with(limit, key, request -> 1);
  }

  /** With one more limit, and the cost of a request. */
  public PartitionedLimiter<R> with(
      NamedLimit limit, Function<R, String> key, ToLongFunction<R> cost) {
    List<Part<R>> more = new ArrayList<>(parts);
    more.add(new Part<>(limit, key, cost));
    return new PartitionedLimiter<>(limiter, more);
  }

  /** Asks all limits, all or nothing: see {@link KeyedLimiter#check(List)}. */
  public CompletionStage<KeyedDecision> check(R request) {
    List<Hit> hits = new ArrayList<>(parts.size());
    for (Part<R> part : parts) {
      hits.add(new Hit(part.limit, part.key.apply(request), part.cost.applyAsLong(request)));
    }
    return limiter.check(hits);
  }
}
