package io.headgate.keyed.ring.peer;

import io.grpc.Status;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The failed calls to a peer. */
public final class PeerErrors {

  private final LongSupplier millis;
  private final LongAdder count = new LongAdder();
  private volatile @Nullable Failure last;

  private record Failure(long at, String message) {}

  /**
   * Creates an empty list.
   *
   * @param millis the time in milliseconds
   */
  public PeerErrors(LongSupplier millis) {
    this.millis = millis;
  }

  void add(Status status) {
    count.increment();
    last = new Failure(millis.getAsLong(), describe(status));
  }

  /** The last failure, if it is younger than that; else null. */
  public @Nullable String since(long ageMillis) {
    Failure failure = last;
    return failure == null || millis.getAsLong() - failure.at() > ageMillis
        ? null
        : failure.message();
  }

  /** Failed calls since the peer is known. */
  public long count() {
    return count.sum();
  }

  /** A status in the words that Go's gRPC has for it. */
  public static String describe(Status status) {
    StringBuilder code = new StringBuilder();
    boolean upper = true;
    for (char c : status.getCode().name().toCharArray()) {
      if (c == '_') {
        upper = true;
      } else {
        code.append(upper ? c : Character.toLowerCase(c));
        upper = false;
      }
    }
    String words = status.getDescription() == null ? "" : status.getDescription();
    Throwable cause = status.getCause();
    if (cause != null && cause.getMessage() != null) {
      words = words + ": " + cause.getMessage();
    }
    return "rpc error: code = " + code + " desc = " + words;
  }
}
