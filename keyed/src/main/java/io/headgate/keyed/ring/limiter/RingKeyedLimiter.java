package io.headgate.keyed.ring.limiter;

import io.grpc.Status;
import io.headgate.core.limit.Decision;
import io.headgate.keyed.Charge;
import io.headgate.keyed.Hit;
import io.headgate.keyed.KeyedDecision;
import io.headgate.keyed.KeyedLimiter;
import io.headgate.keyed.KeyedListener;
import io.headgate.keyed.Verdicts;
import io.headgate.keyed.ring.bucket.HitKey;
import io.headgate.keyed.ring.cluster.Cluster;
import io.headgate.keyed.ring.peer.Peer;
import io.headgate.protocol.ring.v1.DecideRequest;
import io.headgate.protocol.ring.v1.DecideResponse;
import io.headgate.protocol.ring.v1.GiveBackResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A keyed limiter whose counts are on the nodes of a cluster, each key on the one that owns it:
 * exact over all nodes as long as the cluster does not change.
 *
 * <p>Limits of one owner are decided on in one step; several owners are asked at the same time, and
 * what a denied request took is given back; in between, others may be denied for it. Where an owner
 * cannot be reached, this node decides alone, and the decision says that it is degraded. When
 * owners change, keys start anew.
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

  @Override
  public CompletionStage<KeyedDecision> restore(List<Hit> hits) {
    Hit.require(hits);
    List<Part> parts = partsOf(hits);
    return answers(parts, part -> restoreAt(part, hits))
        .thenApply(answers -> verdict(hits, parts, answers));
  }

  /** The hits of one owner, by their places among all; this node if the owner is null. */
  private record Part(@Nullable Peer owner, List<Integer> places) {

    List<Hit> of(List<Hit> hits) {
      return places.stream().map(hits::get).toList();
    }
  }

  /** What an owner said of its part. */
  private record Answer(List<Decision> decisions, boolean degraded, Runnable giveBack) {

    static Answer of(Charge charge, boolean degraded) {
      return new Answer(charge.decision().each(), degraded, charge.giveBack());
    }
  }

  private CompletionStage<Charge> ask(List<Hit> hits, boolean refundable) {
    Hit.require(hits);
    List<Part> parts = partsOf(hits);
    boolean numbered = refundable || parts.size() > 1;
    return answers(parts, part -> askOwner(part, hits, numbered))
        .thenApply(answers -> conclude(hits, parts, answers));
  }

  private List<Part> partsOf(List<Hit> hits) {
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < hits.size(); i++) {
      Hit hit = hits.get(i);
      Peer owner = cluster.topology().ownerOf(new HitKey(hit.limit().name(), hit.key()));
      partOf(owner, parts).places.add(i);
    }
    return parts;
  }

  private static Part partOf(@Nullable Peer owner, List<Part> parts) {
    for (Part part : parts) {
      if (part.owner == owner) {
        return part;
      }
    }
    Part part = new Part(owner, new ArrayList<>());
    parts.add(part);
    return part;
  }

  /** Asks all owners at the same time. */
  private static CompletionStage<List<Answer>> answers(
      List<Part> parts, Function<Part, CompletableFuture<Answer>> ask) {
    if (parts.size() == 1) {
      return ask.apply(parts.get(0)).thenApply(List::of);
    }
    List<CompletableFuture<Answer>> asked = parts.stream().map(ask).toList();
    return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .thenApply(all -> asked.stream().map(CompletableFuture::join).toList());
  }

  private Charge conclude(List<Hit> hits, List<Part> parts, List<Answer> answers) {
    KeyedDecision decision = verdict(hits, parts, answers);
    Runnable giveBack = () -> answers.forEach(answer -> answer.giveBack.run());
    if (!decision.allowed()) {
      giveBack.run();
      giveBack = Charge.NOTHING;
    }
    listener.tell(hits, decision);
    return new Charge(decision, giveBack);
  }

  private static KeyedDecision verdict(List<Hit> hits, List<Part> parts, List<Answer> answers) {
    Decision[] decisions = new Decision[hits.size()];
    boolean degraded = false;
    for (int i = 0; i < parts.size(); i++) {
      List<Integer> places = parts.get(i).places;
      for (int j = 0; j < places.size(); j++) {
        decisions[places.get(j)] = answers.get(i).decisions.get(j);
      }
      degraded |= answers.get(i).degraded;
    }
    return Verdicts.of(hits, List.of(decisions), degraded);
  }

  private CompletableFuture<Answer> askOwner(Part part, List<Hit> hits, boolean refundable) {
    List<Hit> own = part.of(hits);
    Peer owner = part.owner;
    if (owner == null) {
      return CompletableFuture.completedFuture(Answer.of(charged(own), false));
    }
    long id = refundable ? random.nextLong() | 1 : 0;
    return send(
        owner,
        own,
        DecideRequest.newBuilder().setGiveBackId(id),
        id == 0 ? Charge.NOTHING : () -> giveBack(owner, id),
        () -> Answer.of(charged(own), true));
  }

  private CompletableFuture<Answer> restoreAt(Part part, List<Hit> hits) {
    List<Hit> own = part.of(hits);
    Peer owner = part.owner;
    if (owner == null) {
      return CompletableFuture.completedFuture(restoredHere(own, false));
    }
    return send(
        owner,
        own,
        DecideRequest.newBuilder().setRestore(true),
        Charge.NOTHING,
        () -> restoredHere(own, true));
  }

  private Charge charged(List<Hit> hits) {
    return here.limiter().charge(hits).toCompletableFuture().join();
  }

  private Answer restoredHere(List<Hit> hits, boolean degraded) {
    return new Answer(here.limiter().restored(hits).each(), degraded, Charge.NOTHING);
  }

  private CompletableFuture<Answer> send(
      Peer owner,
      List<Hit> hits,
      DecideRequest.Builder request,
      Runnable giveBack,
      Supplier<Answer> withoutOwner) {
    hits.forEach(hit -> request.addHits(LimitMessages.message(hit)));
    CompletableFuture<Answer> result = new CompletableFuture<>();
    owner.decide(
        request.build(),
        timeoutNanos,
        new Peer.Outcome<DecideResponse>() {
          @Override
          public void answered(DecideResponse response) {
            boolean whole = response.getDecisionsCount() == hits.size();
            result.complete(
                whole ? new Answer(decisions(response), false, giveBack) : withoutOwner.get());
          }

          @Override
          public void failed(Status status) {
            result.complete(withoutOwner.get());
          }
        });
    return result;
  }

  private List<Decision> decisions(DecideResponse response) {
    long now = nanoClock.getAsLong();
    List<Decision> decisions = new ArrayList<>(response.getDecisionsCount());
    for (DecideResponse.Decision said : response.getDecisionsList()) {
      decisions.add(
          new Decision(
              said.getAllowed(),
              said.getLimit(),
              said.getRemaining(),
              now + said.getResetAfter(),
              said.getRetryAfter()));
    }
    return decisions;
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
