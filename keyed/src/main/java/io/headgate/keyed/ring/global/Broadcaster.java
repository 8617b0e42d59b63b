package io.headgate.keyed.ring.global;

import io.grpc.Status;
import io.headgate.core.hits.Behavior;
import io.headgate.core.hits.Bucket;
import io.headgate.core.hits.BucketState;
import io.headgate.core.hits.HitAnswer;
import io.headgate.core.hits.HitRequest;
import io.headgate.keyed.ring.bucket.BucketMap;
import io.headgate.keyed.ring.bucket.HitKey;
import io.headgate.keyed.ring.bucket.Wire;
import io.headgate.keyed.ring.peer.Peer;
import io.headgate.protocol.gubernator.RateLimitResp;
import io.headgate.protocol.gubernator.UpdatePeerGlobal;
import io.headgate.protocol.gubernator.UpdatePeerGlobalsReq;
import io.headgate.protocol.gubernator.UpdatePeerGlobalsResp;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Tells all other nodes how the keys stand that they answer for and this node owns. Changes are
 * gathered for a while; a peer has one message under way at a time, so that an old state never
 * follows a new one, and what fails is told again.
 */
public final class Broadcaster {

  private static final int RETRY_INTERVALS = 10;

  private final BucketMap buckets;
  private final AdmittedBatches counted;
  private final Supplier<List<Peer>> peers;
  private final SyncSettings settings;
  private final ScheduledExecutorService scheduler;
  private final LongSupplier millis;
  private final LongAdder errors = new LongAdder();
  private final LongAdder broadcasts = new LongAdder();

  private Map<HitKey, HitRequest> changed = new LinkedHashMap<>();
  private final Map<Peer, Line> lines = new HashMap<>();
  private boolean timed;

  /** What a peer is still to be told. */
  private static final class Line {
    final Map<HitKey, HitRequest> owed = new LinkedHashMap<>();
    boolean underWay;
  }

  /**
   * Creates one that has nothing to tell.
   *
   * @param counted which batches of others are counted in the buckets
   * @param peers the other nodes of this data center
   * @param millis the time in epoch milliseconds
   */
  public Broadcaster(
      BucketMap buckets,
      AdmittedBatches counted,
      Supplier<List<Peer>> peers,
      SyncSettings settings,
      ScheduledExecutorService scheduler,
      LongSupplier millis) {
    this.buckets = buckets;
    this.counted = counted;
    this.peers = peers;
    this.settings = settings;
    this.scheduler = scheduler;
    this.millis = millis;
  }

  /** Notes that a key was hit, by such a request. */
  public void changed(HitKey key, HitRequest request) {
    boolean full;
    synchronized (this) {
      changed.put(key, request);
      full = changed.size() >= settings.batchLimit();
      if (!full) {
        if (timed) {
          return;
        }
        timed = true;
      }
    }
    if (full) {
      flush();
    } else {
      scheduler.schedule(this::flush, settings.interval().toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  /** Tells what has changed. */
  public void flush() {
    Map<Peer, Map<HitKey, HitRequest>> sends = new LinkedHashMap<>();
    synchronized (this) {
      timed = false;
      Map<HitKey, HitRequest> news = changed;
      changed = new LinkedHashMap<>();
      if (!news.isEmpty()) {
        broadcasts.increment();
      }
      List<Peer> others = peers.get();
      lines.keySet().retainAll(others);
      for (Peer peer : others) {
        Line line = lines.computeIfAbsent(peer, p -> new Line());
        line.owed.putAll(news);
        if (!line.underWay && !line.owed.isEmpty()) {
          sends.put(peer, take(line));
        }
      }
    }
    sends.forEach(this::send);
  }

  private Map<HitKey, HitRequest> take(Line line) {
    Map<HitKey, HitRequest> taken = new LinkedHashMap<>();
    Iterator<Map.Entry<HitKey, HitRequest>> owed = line.owed.entrySet().iterator();
    while (owed.hasNext() && taken.size() < settings.batchLimit()) {
      Map.Entry<HitKey, HitRequest> entry = owed.next();
      taken.put(entry.getKey(), entry.getValue());
      owed.remove();
    }
    line.underWay = true;
    return taken;
  }

  private void send(Peer peer, Map<HitKey, HitRequest> keys) {
    UpdatePeerGlobalsReq.Builder message = UpdatePeerGlobalsReq.newBuilder();
    // Read before the states: they may include more than it says, which the next message puts
    // right.
    message.addAllIncluded(counted.last());
    long now = millis.getAsLong();
    keys.forEach((key, request) -> message.addGlobals(stateOf(key, request, now)));
    peer.update(
        message.build(),
        settings.timeout().toNanos(),
        new Peer.Outcome<>() {
          @Override
          public void answered(UpdatePeerGlobalsResp response) {
            next(peer);
          }

          @Override
          public void failed(Status status) {
            errors.increment();
            again(peer, keys);
          }
        });
  }

  private void next(Peer peer) {
    Map<HitKey, HitRequest> more = null;
    synchronized (this) {
      Line line = lines.get(peer);
      if (line != null) {
        line.underWay = false;
        more = line.owed.isEmpty() ? null : take(line);
      }
    }
    if (more != null) {
      send(peer, more);
    }
  }

  private void again(Peer peer, Map<HitKey, HitRequest> keys) {
    synchronized (this) {
      Line line = lines.get(peer);
      if (line == null) {
        return;
      }
      keys.forEach(line.owed::putIfAbsent);
    }
    scheduler.schedule(
        () -> next(peer), settings.interval().toNanos() * RETRY_INTERVALS, TimeUnit.NANOSECONDS);
  }

  private UpdatePeerGlobal stateOf(HitKey key, HitRequest request, long now) {
    UpdatePeerGlobal.Builder update =
        UpdatePeerGlobal.newBuilder()
            .setKey(key.joined())
            .setNameLength(key.name().getBytes(StandardCharsets.UTF_8).length)
            .setAlgorithmValue(Wire.number(request.algorithm()))
            .setDuration(request.duration())
            .setCreatedAt(request.createdAt());
    BucketState state = buckets.state(key, now);
    if (state == null) {
      return update.setStatus(RateLimitResp.newBuilder().setLimit(request.limit())).build();
    }
    int probe = request.behavior() & Behavior.DURATION_IS_GREGORIAN;
    HitRequest question =
        new HitRequest(
            0,
            state.limit(),
            state.duration(),
            state.burst(),
            state.algorithm(),
            probe,
            Math.max(now, request.createdAt()));
    HitAnswer answer = Bucket.of(state).hit(question, now, buckets.zone());
    return update.setStatus(Wire.message(answer)).setState(Wire.message(state)).build();
  }

  /** Messages that failed. */
  public long errors() {
    return errors.sum();
  }

  /** Rounds of messages. */
  public long broadcasts() {
    return broadcasts.sum();
  }

  /** Keys that are still to be told to somebody. */
  public synchronized int size() {
    return changed.size() + lines.values().stream().mapToInt(line -> line.owed.size()).sum();
  }
}
