package io.headgate.keyed.ring.limiter;

import io.grpc.Status;
import io.headgate.core.limit.Decision;
import io.headgate.keyed.Charge;
import io.headgate.keyed.Hit;
import io.headgate.keyed.KeyedDecision;
import io.headgate.keyed.KeyedLimiter;
import io.headgate.keyed.KeyedListener;
import io.headgate.keyed.ring.bucket.HitKey;
import io.headgate.keyed.ring.cluster.Cluster;
import io.headgate.keyed.ring.peer.Peer;
import io.headgate.protocol.ring.v1.DecideRequest;
import io.headgate.protocol.ring.v1.DecideResponse;
import io.headgate.protocol.ring.v1.GiveBackResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A keyed limiter whose counts are on the nodes of a cluster, each key on the one that owns it:
 * exact over all nodes as long as the cluster does not change.
 *
 * <p>Limits of one owner are decided on in one step; those of several are asked one after the
 * other, and what was taken is given back if a later one denies. Where an owner cannot be reached,
 * this node decides alone, and the decision says that it is degraded. When owners change, keys
 * start anew.
 */
public final class RingKeyedLimiter implements KeyedLimiter {

  private final Cluster cluster;
  private final Decisions here;
  private final long timeoutNanos;
  private final RandomGenerator random;
  private final LongSupplier nanoClock;
  private final KeyedListener listener;

  /**
   * Creates one.
   *
   * @param here this node as the one that decides
   * @param timeoutNanos how long another node has
   * @param listener hears of each decision
   */
  public RingKeyedLimiter(
      Cluster cluster,
      Decisions here,
      long timeoutNanos,
      RandomGenerator random,
      LongSupplier nanoClock,
      KeyedListener listener) {
    this.cluster = cluster;
    this.here = here;
    this.timeoutNanos = timeoutNanos;
    this.random = random;
    this.nanoClock = nanoClock;
    this.listener = listener;
  }

  @Override
  public CompletionStage<KeyedDecision> check(List<Hit> hits) {
    return ask(hits, false).thenApply(Charge::decision);
  }

  @Override
  public CompletionStage<Charge> charge(List<Hit> hits) {
    return ask(hits, true);
  }

  private CompletionStage<Charge> ask(List<Hit> hits, boolean refundable) {
    Hit.require(hits);
    Map<Optional<Peer>, List<Hit>> byOwner = new LinkedHashMap<>();
    for (Hit hit : hits) {
      Peer owner = cluster.topology().ownerOf(new HitKey(hit.limit().name(), hit.key()));
      byOwner.computeIfAbsent(Optional.ofNullable(owner), peer -> new ArrayList<>()).add(hit);
    }
    List<Map.Entry<Optional<Peer>, List<Hit>>> groups = List.copyOf(byOwner.entrySet());
    CompletionStage<Charge> all = askOwner(groups.get(0), refundable || groups.size() > 1);
    for (Map.Entry<Optional<Peer>, List<Hit>> group : groups.subList(1, groups.size())) {
      all =
          all.thenCompose(
              before ->
                  before.decision().allowed()
                      ? askOwner(group, true).thenApply(charge -> both(before, charge))
                      : CompletableFuture.completedFuture(before));
    }
    return all.thenApply(
        charge -> {
          listener.tell(hits, charge.decision());
          return charge;
        });
  }

  /** Two charges as one; if the second was denied, the first is given back. */
  private static Charge both(Charge before, Charge charge) {
    KeyedDecision one = before.decision();
    KeyedDecision other = charge.decision();
    boolean shadowDenied = one.shadowDenied() || other.shadowDenied();
    boolean degraded = one.degraded() || other.degraded();
    if (!other.allowed()) {
      before.giveBack().run();
    }
    KeyedDecision deciding =
        other.allowed() && one.decision().remaining() <= other.decision().remaining() ? one : other;
    return new Charge(
        new KeyedDecision(
            other.allowed(), deciding.decidedBy(), deciding.decision(), shadowDenied, degraded),
        other.allowed()
            ? () -> {
              before.giveBack().run();
              charge.giveBack().run();
            }
            : Charge.NOTHING);
  }

  private CompletionStage<Charge> askOwner(
      Map.Entry<Optional<Peer>, List<Hit>> group, boolean refundable) {
    List<Hit> hits = group.getValue();
    Peer owner = group.getKey().orElse(null);
    if (owner == null) {
      return here.limiter().charge(hits);
    }
    long id = refundable ? random.nextLong() | 1 : 0;
    DecideRequest.Builder request = DecideRequest.newBuilder().setGiveBackId(id);
    hits.forEach(hit -> request.addHits(LimitMessages.message(hit)));
    CompletableFuture<Charge> result = new CompletableFuture<>();
    owner.decide(
        request.build(),
        timeoutNanos,
        new Peer.Outcome<DecideResponse>() {
          @Override
          public void answered(DecideResponse response) {
            KeyedDecision decision = decision(hits, response);
            result.complete(
                new Charge(decision, id == 0 ? Charge.NOTHING : () -> giveBack(owner, id)));
          }

          @Override
          public void failed(Status status) {
            here.limiter().charge(hits).thenAccept(charge -> result.complete(degraded(charge)));
          }
        });
    return result;
  }

  private KeyedDecision decision(List<Hit> hits, DecideResponse response) {
    int by = Math.min(Math.max(0, response.getDecidedBy()), hits.size() - 1);
    return new KeyedDecision(
        response.getAllowed(),
        hits.get(by).limit(),
        new Decision(
            response.getLimitAllowed(),
            response.getLimit(),
            response.getRemaining(),
            nanoClock.getAsLong() + response.getResetAfter(),
            response.getRetryAfter()),
        response.getShadowDenied(),
        false);
  }

  private static Charge degraded(Charge charge) {
    KeyedDecision decision = charge.decision();
    return new Charge(
        new KeyedDecision(
            decision.allowed(),
            decision.decidedBy(),
            decision.decision(),
            decision.shadowDenied(),
            true),
        charge.giveBack());
  }

  private void giveBack(Peer owner, long id) {
    owner.giveBack(
        id,
        timeoutNanos,
        new Peer.Outcome<GiveBackResponse>() {
          @Override
          public void answered(GiveBackResponse response) {}

          @Override
          public void failed(Status status) {
            // What was taken stays taken until it comes back by itself.
          }
        });
  }

  /** What the owner of a key knows, if that is this node. */
  @Override
  public long leastWaitNanos(io.headgate.keyed.NamedLimit limit, String key, long permits) {
    @Nullable Peer owner = cluster.topology().ownerOf(new HitKey(limit.name(), key));
    return owner == null ? here.limiter().leastWaitNanos(limit, key, permits) : 0;
  }

  /** Nothing to give back: the node is closed by itself. */
  @Override
  public void close() {}
}
