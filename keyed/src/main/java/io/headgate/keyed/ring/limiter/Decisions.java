package io.headgate.keyed.ring.limiter;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.headgate.core.limit.Decision;
import io.headgate.keyed.Charge;
import io.headgate.keyed.Hit;
import io.headgate.keyed.KeyedDecision;
import io.headgate.keyed.local.LocalKeyedLimiter;
import io.headgate.protocol.ring.v1.DecideRequest;
import io.headgate.protocol.ring.v1.DecideResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** This node as the one that decides on keys. */
public final class Decisions {

  /** How long a request may take until it knows whether it needs what it took. */
  private static final Duration GIVE_BACK_TIME = Duration.ofMinutes(1);

  private static final long MAX_GIVE_BACKS = 100_000;

  private final LocalKeyedLimiter limiter;
  private final LongSupplier nanoClock;
  private final Cache<Long, Runnable> giveBacks =
      Caffeine.newBuilder().expireAfterWrite(GIVE_BACK_TIME).maximumSize(MAX_GIVE_BACKS).build();

  /**
   * Creates one that knows no key.
   *
   * @param nanoClock nanoseconds from any origin
   */
  public Decisions(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    limiter = LocalKeyedLimiter.builder().nanoClock(nanoClock).build();
  }

  /** The limits of the keys of this node. */
  LocalKeyedLimiter limiter() {
    return limiter;
  }

  /**
   * Decides on hits from another node.
   *
   * @throws IllegalArgumentException if they make no sense
   */
  public DecideResponse decide(DecideRequest request) {
    List<Hit> hits = new ArrayList<>(request.getHitsCount());
    request.getHitsList().forEach(hit -> hits.add(LimitMessages.hit(hit)));
    if (request.getRestore()) {
      return message(limiter.restored(hits));
    }
    long id = request.getGiveBackId();
    if (id == 0) {
      return message(limiter.decide(hits));
    }
    Charge charge = limiter.charge(hits).toCompletableFuture().join();
    if (charge.decision().allowed()) {
      giveBacks.put(id, charge.giveBack());
    }
    return message(charge.decision());
  }

  private DecideResponse message(KeyedDecision decided) {
    long now = nanoClock.getAsLong();
    DecideResponse.Builder response = DecideResponse.newBuilder();
    for (Decision decision : decided.each()) {
      response.addDecisions(
          DecideResponse.Decision.newBuilder()
              .setAllowed(decision.allowed())
              .setLimit(decision.limit())
              .setRemaining(decision.remaining())
              .setResetAfter(Math.max(0, decision.resetAtNanos() - now))
              .setRetryAfter(decision.retryAfterNanos()));
    }
    return response.build();
  }

  /** Gives back what was taken under a number; once, and not after a minute. */
  public void giveBack(long id) {
    Runnable giveBack = giveBacks.asMap().remove(id);
    if (giveBack != null) {
      giveBack.run();
    }
  }
}
