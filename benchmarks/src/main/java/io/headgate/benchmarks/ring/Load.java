package io.headgate.benchmarks.ring;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import io.headgate.benchmarks.BenchmarkFailure;
import io.headgate.protocol.gubernator.GetRateLimitsReq;
import io.headgate.protocol.gubernator.GetRateLimitsResp;
import io.headgate.protocol.gubernator.V1Grpc;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Asks a node, in a closed loop (each answer makes room for the next call) or in an open one (calls
 * at a rate, whether answers come or not; each is timed from when it was due, so that a pause
 * counts for all calls that it delays).
 */
final class Load implements AutoCloseable {

  private static final int CALLS_A_CONNECTION = 16;
  private static final int MAX_CONNECTIONS = 4;
  private static final int SIGNIFICANT_DIGITS = 3;
  private static final long END_SECONDS = 10;

  private final List<ManagedChannel> channels = new ArrayList<>();
  private final List<V1Grpc.V1Stub> stubs = new ArrayList<>();
  private final AtomicReference<@Nullable String> problem = new AtomicReference<>();

  /** What came of a load: times in nanoseconds, of calls that were begun in so many nanoseconds. */
  record Result(Histogram times, long nanos) {
    double callsPerSecond() {
      return times.getTotalCount() * 1e9 / nanos;
    }
  }

  /**
   * Connects.
   *
   * @param inFlight how many calls there will be at once
   */
  Load(String target, int inFlight) {
    int connections = Math.min(MAX_CONNECTIONS, Math.max(1, inFlight / CALLS_A_CONNECTION));
    for (int i = 0; i < connections; i++) {
      ManagedChannel channel =
          Grpc.newChannelBuilder(target, InsecureChannelCredentials.create())
              .directExecutor()
              .build();
      channels.add(channel);
      stubs.add(V1Grpc.newStub(channel));
    }
  }

  /** Keeps so many calls under way for a time. */
  Result closed(Calls calls, int inFlight, long nanos) throws InterruptedException {
    Recorder recorder = new Recorder(SIGNIFICANT_DIGITS);
    AtomicInteger turn = new AtomicInteger();
    CountDownLatch ended = new CountDownLatch(inFlight);
    long begun = System.nanoTime();
    for (int i = 0; i < inFlight; i++) {
      new Caller(stubs.get(i % stubs.size()), calls, turn, recorder, ended, begun + nanos).next();
    }
    await(ended, nanos);
    return new Result(recorder.getIntervalHistogram(), System.nanoTime() - begun);
  }

  /** Begins calls at a rate for a time. */
  Result open(Calls calls, double callsPerSecond, long nanos) throws InterruptedException {
    Recorder recorder = new Recorder(SIGNIFICANT_DIGITS);
    int count = (int) (callsPerSecond * nanos / 1e9);
    CountDownLatch ended = new CountDownLatch(count);
    long begun = System.nanoTime();
    for (int i = 0; i < count; i++) {
      long due = begun + (long) (i * 1e9 / callsPerSecond);
      for (long now = System.nanoTime(); now < due; now = System.nanoTime()) {
        LockSupport.parkNanos(due - now);
      }
      GetRateLimitsReq call = calls.calls().get(i % calls.calls().size());
      stubs.get(i % stubs.size()).getRateLimits(call, new Timed(due, recorder, ended::countDown));
    }
    await(ended, nanos);
    return new Result(recorder.getIntervalHistogram(), System.nanoTime() - begun);
  }

  private void await(CountDownLatch ended, long nanos) throws InterruptedException {
    if (!ended.await(nanos + TimeUnit.SECONDS.toNanos(END_SECONDS), TimeUnit.NANOSECONDS)) {
      throw new BenchmarkFailure("ring: calls were not answered within " + END_SECONDS + " s");
    }
    String found = problem.get();
    if (found != null) {
      throw new BenchmarkFailure("ring: " + found);
    }
  }

  private final class Timed implements StreamObserver<GetRateLimitsResp> {
    private final long begun;
    private final Recorder recorder;
    private final Runnable after;

    Timed(long begun, Recorder recorder, Runnable after) {
      this.begun = begun;
      this.recorder = recorder;
      this.after = after;
    }

    @Override
    public void onNext(GetRateLimitsResp response) {
      recorder.recordValue(Math.max(0, System.nanoTime() - begun));
      String error = response.getResponses(0).getError();
      if (!error.isEmpty()) {
        problem.compareAndSet(null, error);
      }
    }

    @Override
    public void onError(Throwable t) {
      problem.compareAndSet(null, t.getMessage());
      after.run();
    }

    @Override
    public void onCompleted() {
      after.run();
    }
  }

  private final class Caller {
    private final V1Grpc.V1Stub stub;
    private final Calls calls;
    private final AtomicInteger turn;
    private final Recorder recorder;
    private final CountDownLatch ended;
    private final long end;

    Caller(
        V1Grpc.V1Stub stub,
        Calls calls,
        AtomicInteger turn,
        Recorder recorder,
        CountDownLatch ended,
        long end) {
      this.stub = stub;
      this.calls = calls;
      this.turn = turn;
      this.recorder = recorder;
      this.ended = ended;
      this.end = end;
    }

    void next() {
      long now = System.nanoTime();
      if (now >= end || problem.get() != null) {
        ended.countDown();
        return;
      }
      int call = Math.floorMod(turn.getAndIncrement(), calls.calls().size());
      stub.getRateLimits(calls.calls().get(call), new Timed(now, recorder, this::next));
    }
  }

  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
  }
}
