package io.headgate.keyed.ring.peer;

import io.grpc.CallOptions;
import io.grpc.ConnectivityState;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.headgate.keyed.ring.discovery.PeerInfo;
import io.headgate.protocol.gubernator.GetPeerRateLimitsReq;
import io.headgate.protocol.gubernator.GetPeerRateLimitsResp;
import io.headgate.protocol.gubernator.PeersV1Grpc;
import io.headgate.protocol.gubernator.RateLimitReq;
import io.headgate.protocol.gubernator.UpdatePeerGlobalsReq;
import io.headgate.protocol.gubernator.UpdatePeerGlobalsResp;
import io.headgate.protocol.ring.v1.DecideRequest;
import io.headgate.protocol.ring.v1.DecideResponse;
import io.headgate.protocol.ring.v1.GiveBackRequest;
import io.headgate.protocol.ring.v1.GiveBackResponse;
import io.headgate.protocol.ring.v1.HandOverRequest;
import io.headgate.protocol.ring.v1.HandOverResponse;
import io.headgate.protocol.ring.v1.RingGrpc;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Another node of the cluster. Safe for use by many threads. */
public final class Peer {

  private static final long RECONNECT_MILLIS = 50;

  private final PeerInfo info;
  private final ManagedChannel channel;
  private final PeerSettings settings;
  private final BatchIds ids;
  private final ScheduledExecutorService scheduler;
  private final BatchQueue queue;
  private final PeerErrors errors;
  private final LongAdder retries = new LongAdder();
  private final AtomicBoolean reconnecting = new AtomicBoolean();

  /** Whether the peer counts a batch once, however often it comes; Gubernator does not. */
  private volatile boolean countsOnce;

  /**
   * Creates a peer; its channel is closed with it.
   *
   * @param ids numbers the batches of this node
   * @param errors where failed calls are noted
   */
  public Peer(
      PeerInfo info,
      ManagedChannel channel,
      PeerSettings settings,
      BatchIds ids,
      ScheduledExecutorService scheduler,
      PeerErrors errors) {
    this.info = info;
    this.channel = channel;
    this.settings = settings;
    this.ids = ids;
    this.scheduler = scheduler;
    this.errors = errors;
    queue = new BatchQueue(settings.batchLimit(), settings.batchWait().toNanos());
    watch();
  }

  /** How the peer is found. */
  public PeerInfo info() {
    return info;
  }

  /** What failed lately. */
  public PeerErrors errors() {
    return errors;
  }

  /** Requests that wait for a batch. */
  public int queued() {
    return queue.size();
  }

  /** Batches that were sent a second time. */
  public long retries() {
    return retries.sum();
  }

  /**
   * Puts a request among those of the next batch; {@link #flush} is to be called after the last.
   */
  public void enqueue(RateLimitReq request, Replies replies, int place) {
    sendBatch(queue.add(new BatchQueue.Item(request, replies, place)));
  }

  /** Sends what waits, unless a batch is under way. */
  public void flush() {
    sendBatch(queue.takeIfIdle());
    long watchNanos = queue.watchNanos();
    if (watchNanos >= 0) {
      scheduler.schedule(() -> sendBatch(queue.takeOverdue()), watchNanos, TimeUnit.NANOSECONDS);
    }
  }

  /** Sends a request alone, at once. */
  public void sendAlone(GetPeerRateLimitsReq.Builder call, Replies replies, int place) {
    List<BatchQueue.Item> one = List.of(new BatchQueue.Item(call.getRequests(0), replies, place));
    new BatchCall(one, call.setBatch(ids.next()).build(), false).start();
  }

  private void sendBatch(@Nullable List<BatchQueue.Item> batch) {
    if (batch == null) {
      return;
    }
    GetPeerRateLimitsReq.Builder call = GetPeerRateLimitsReq.newBuilder();
    for (BatchQueue.Item item : batch) {
      call.addRequests(item.request());
    }
    new BatchCall(batch, call.setBatch(ids.next()).build(), true).start();
  }

  /**
   * Sends hits that were admitted already.
   *
   * @param timeoutNanos how long the peer has
   */
  public void sendAdmitted(
      GetPeerRateLimitsReq batch, long timeoutNanos, Outcome<GetPeerRateLimitsResp> outcome) {
    call(PeersV1Grpc.getGetPeerRateLimitsMethod(), batch, timeoutNanos, outcome);
  }

  /** Tells the peer how keys stand. */
  public void update(
      UpdatePeerGlobalsReq globals, long timeoutNanos, Outcome<UpdatePeerGlobalsResp> outcome) {
    call(PeersV1Grpc.getUpdatePeerGlobalsMethod(), globals, timeoutNanos, outcome);
  }

  /** Gives buckets to the peer. */
  public void handOver(
      HandOverRequest request, long timeoutNanos, Outcome<HandOverResponse> outcome) {
    call(RingGrpc.getHandOverMethod(), request, timeoutNanos, outcome);
  }

  /** Asks the peer for a decision. */
  public void decide(DecideRequest request, long timeoutNanos, Outcome<DecideResponse> outcome) {
    call(RingGrpc.getDecideMethod(), request, timeoutNanos, outcome);
  }

  /** Gives back what a decision of the peer has taken. */
  public void giveBack(long id, long timeoutNanos, Outcome<GiveBackResponse> outcome) {
    GiveBackRequest request = GiveBackRequest.newBuilder().setId(id).build();
    call(RingGrpc.getGiveBackMethod(), request, timeoutNanos, outcome);
  }

  /** What came of a call. */
  public interface Outcome<T> {

    /** The peer answered. */
    void answered(T response);

    /** It did not. */
    void failed(Status status);
  }

  private <Q, A> void call(
      MethodDescriptor<Q, A> method, Q request, long timeoutNanos, Outcome<A> outcome) {
    CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(timeoutNanos, TimeUnit.NANOSECONDS);
    // Most calls begin on the thread of a client's call, and would be cancelled with it; but a
    // batch
    // carries the requests of others too.
    Context ofClient = Context.ROOT.attach();
    try {
      ClientCalls.asyncUnaryCall(
          channel.newCall(method, options), request, new Listener<>(outcome));
    } finally {
      Context.ROOT.detach(ofClient);
    }
  }

  /** Keeps the connection up, so that nobody waits for it. */
  private void watch() {
    ConnectivityState state = channel.getState(true);
    if (state == ConnectivityState.SHUTDOWN) {
      return;
    }
    channel.notifyWhenStateChanged(state, this::watch);
    if (state == ConnectivityState.TRANSIENT_FAILURE && reconnecting.compareAndSet(false, true)) {
      reconnectSoon();
    }
  }

  /**
   * gRPC would wait ever longer, two minutes in the end; a node that restarts is back in seconds.
   */
  private void reconnectSoon() {
    scheduler.schedule(
        () -> {
          if (channel.getState(true) == ConnectivityState.TRANSIENT_FAILURE) {
            channel.resetConnectBackoff();
            reconnectSoon();
          } else {
            reconnecting.set(false);
          }
        },
        RECONNECT_MILLIS,
        TimeUnit.MILLISECONDS);
  }

  private final class Listener<A> implements StreamObserver<A> {
    private final Outcome<A> outcome;
    private @Nullable A answer;

    Listener(Outcome<A> outcome) {
      this.outcome = outcome;
    }

    @Override
    public void onNext(A response) {
      answer = response;
    }

    @Override
    public void onError(Throwable t) {
      Status status = Status.fromThrowable(t);
      if (status.getCode() != Status.Code.UNIMPLEMENTED) { // Gubernator takes no buckets over
        errors.add(status);
      }
      outcome.failed(status);
    }

    @Override
    public void onCompleted() {
      A response = answer;
      if (response == null) {
        onError(Status.INTERNAL.withDescription("no answer").asException());
      } else {
        outcome.answered(response);
      }
    }
  }

  /** Ends the connection; calls under way fail. */
  public void close() {
    channel.shutdownNow();
  }

  /** A batch on its way; sent again if the connection broke and the peer counts a batch once. */
  private final class BatchCall implements Outcome<GetPeerRateLimitsResp> {

    private static final int MAX_TRIES = 2;

    private final List<BatchQueue.Item> items;
    private final GetPeerRateLimitsReq call;
    private final boolean queued;
    private int tries;

    BatchCall(List<BatchQueue.Item> items, GetPeerRateLimitsReq call, boolean queued) {
      this.items = items;
      this.call = call;
      this.queued = queued;
    }

    void start() {
      tries++;
      call(
          PeersV1Grpc.getGetPeerRateLimitsMethod(),
          call,
          settings.timeout().toNanos() / MAX_TRIES * (MAX_TRIES - tries + 1),
          this);
    }

    @Override
    public void answered(GetPeerRateLimitsResp response) {
      next();
      countsOnce = response.getCountsOnce();
      if (response.getRateLimitsCount() == items.size()) {
        for (int i = 0; i < items.size(); i++) {
          BatchQueue.Item item = items.get(i);
          item.replies().answered(item.place(), response.getRateLimits(i));
        }
        return;
      }
      fail(
          Status.INTERNAL.withDescription(
              "answers: "
                  + response.getRateLimitsCount()
                  + " (expected: one for each of "
                  + items.size()
                  + " requests)"));
    }

    @Override
    public void failed(Status status) {
      if (tries < MAX_TRIES && countsOnce && status.getCode() == Status.Code.UNAVAILABLE) {
        retries.increment();
        start();
        return;
      }
      next();
      fail(status);
    }

    private void next() {
      if (queued) {
        sendBatch(queue.answered());
      }
    }

    private void fail(Status status) {
      for (BatchQueue.Item item : items) {
        item.replies().failed(item.place(), status);
      }
    }
  }
}
