package io.headgate.keyed.ring.global;

import io.grpc.Status;
import io.headgate.core.hits.Behavior;
import io.headgate.core.hits.HitRequest;
import io.headgate.keyed.ring.bucket.HitKey;
import io.headgate.keyed.ring.bucket.Wire;
import io.headgate.keyed.ring.peer.BatchIds;
import io.headgate.keyed.ring.peer.Peer;
import io.headgate.protocol.gubernator.GetPeerRateLimitsReq;
import io.headgate.protocol.gubernator.GetPeerRateLimitsResp;
import io.headgate.protocol.ring.v1.BatchId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Hits that this node has admitted and that another one has to count. They are gathered by key and
 * sent in batches, one at a time to a peer. A batch that fails is sent again under the same id
 * until it is answered, so that nothing is lost and nothing counts twice; if its peer leaves the
 * cluster, its hits go to whoever owns the keys then.
 */
public final class HitOutbox {

  private static final int RETRY_INTERVALS =
      5; // a peer that failed is left alone for some intervals

  /** Where hits go. */
  public interface Route {

    /** The peer that counts a key; null if this node does, or nobody. */
    @Nullable Peer ownerOf(HitKey key);

    /** Whether a peer is still in the cluster. */
    boolean isMember(Peer peer);

    /** Counts hits of a key that belongs to this node by now. */
    void countHere(HitKey key, HitRequest request);
  }

  private final Route route;
  private final SyncSettings settings;
  private final BatchIds ids;
  private final ScheduledExecutorService scheduler;
  private final Map<HitKey, Owed> owed = new LinkedHashMap<>();
  private final Map<Peer, Batch> underWay = new HashMap<>();
  private final LongAdder errors = new LongAdder();
  private boolean timed;

  /** What is owed for a key: in part sent and not answered yet, in part still here. */
  private static final class Owed {
    HitRequest request;
    long queued;
    boolean resetQueued;
    long sent;
    boolean resetSent;
    long sentIn;

    Owed(HitRequest request) {
      this.request = request;
    }

    boolean isQueued() {
      return queued != 0 || resetQueued;
    }

    boolean isSent() {
      return sentIn != 0;
    }
  }

  private record Batch(BatchId id, List<HitKey> keys, GetPeerRateLimitsReq message) {}

  /** Creates an empty one. */
  public HitOutbox(
      Route route, SyncSettings settings, BatchIds ids, ScheduledExecutorService scheduler) {
    this.route = route;
    this.settings = settings;
    this.ids = ids;
    this.scheduler = scheduler;
  }

  /**
   * Adds hits.
   *
   * @param request what was admitted; of its bits, a reset makes the hits before it moot
   */
  public void add(HitKey key, HitRequest request) {
    boolean full;
    synchronized (this) {
      Owed entry = owed.computeIfAbsent(key, k -> new Owed(request));
      if (!entry.isQueued()) {
        entry.request = request;
      }
      if (Behavior.has(request.behavior(), Behavior.RESET_REMAINING)) {
        entry.resetQueued = true;
        entry.queued = 0;
      }
      entry.queued += request.hits();
      full = owed.size() >= settings.batchLimit() && underWay.isEmpty();
    }
    if (full) {
      flush();
    } else {
      flushAfter(1);
    }
  }

  /**
   * The hits of a key that its owner has not counted.
   *
   * @param included the number of the last batch that the owner has counted
   */
  public synchronized long owedBeyond(HitKey key, long included) {
    Owed entry = owed.get(key);
    if (entry == null) {
      return 0;
    }
    return entry.queued + (entry.sentIn > included && !entry.resetQueued ? entry.sent : 0);
  }

  /** The name under which batches are sent. */
  public long sender() {
    return ids.sender();
  }

  /** Keys for which something is owed. */
  public synchronized int size() {
    return owed.size();
  }

  /** Batches that failed. */
  public long errors() {
    return errors.sum();
  }

  private void flushAfter(int intervals) {
    synchronized (this) {
      if (timed) {
        return;
      }
      timed = true;
    }
    scheduler.schedule(
        this::flush, settings.interval().toNanos() * intervals, TimeUnit.NANOSECONDS);
  }

  /** Sends all that can be sent now. */
  public void flush() {
    Map<Peer, Batch> batches;
    List<Map.Entry<HitKey, HitRequest>> own = new ArrayList<>();
    synchronized (this) {
      timed = false;
      batches = gather(own);
      underWay.putAll(batches);
    }
    own.forEach(entry -> route.countHere(entry.getKey(), entry.getValue()));
    batches.forEach(this::send);
  }

  /** Takes what is queued for peers that have no batch under way, and what belongs here. */
  private Map<Peer, Batch> gather(List<Map.Entry<HitKey, HitRequest>> own) {
    Map<Peer, List<HitKey>> keys = new LinkedHashMap<>();
    List<HitKey> gone = new ArrayList<>();
    owed.forEach(
        (key, entry) -> {
          if (!entry.isQueued() || entry.isSent()) {
            return;
          }
          Peer owner = route.ownerOf(key);
          if (owner == null) {
            own.add(Map.entry(key, queued(entry)));
            gone.add(key);
          } else if (!underWay.containsKey(owner)) {
            List<HitKey> batch = keys.computeIfAbsent(owner, peer -> new ArrayList<>());
            if (batch.size() < settings.batchLimit()) {
              batch.add(key);
            }
          }
        });
    gone.forEach(owed::remove);
    Map<Peer, Batch> batches = new LinkedHashMap<>();
    keys.forEach((peer, batch) -> batches.put(peer, batchOf(batch)));
    return batches;
  }

  private static HitRequest queued(Owed entry) {
    int behavior = entry.request.behavior() & ~Behavior.RESET_REMAINING;
    return entry.request.with(
        entry.queued, entry.resetQueued ? behavior | Behavior.RESET_REMAINING : behavior);
  }

  private Batch batchOf(List<HitKey> keys) {
    BatchId id = ids.next();
    GetPeerRateLimitsReq.Builder message =
        GetPeerRateLimitsReq.newBuilder().setAdmitted(true).setBatch(id);
    for (HitKey key : keys) {
      Owed entry = owed.get(key);
      if (entry == null) {
        continue;
      }
      message.addRequests(Wire.message(key, queued(entry)));
      entry.sent = entry.queued;
      entry.resetSent = entry.resetQueued;
      entry.sentIn = id.getNumber();
      entry.queued = 0;
      entry.resetQueued = false;
    }
    return new Batch(id, keys, message.build());
  }

  private void send(Peer peer, Batch batch) {
    peer.sendAdmitted(
        batch.message(),
        settings.timeout().toNanos(),
        new Peer.Outcome<>() {
          @Override
          public void answered(GetPeerRateLimitsResp response) {
            settle(peer, batch, false);
          }

          @Override
          public void failed(Status status) {
            errors.increment();
            scheduler.schedule(
                () -> retry(peer, batch),
                settings.interval().toNanos() * RETRY_INTERVALS,
                TimeUnit.NANOSECONDS);
          }
        });
  }

  private void retry(Peer peer, Batch batch) {
    if (route.isMember(peer)) {
      send(peer, batch);
    } else {
      settle(peer, batch, true);
    }
  }

  /** Ends a batch: its hits are counted, or queued again. */
  private void settle(Peer peer, Batch batch, boolean again) {
    boolean more;
    synchronized (this) {
      underWay.remove(peer);
      for (HitKey key : batch.keys()) {
        Owed entry = owed.get(key);
        if (entry == null || entry.sentIn != batch.id().getNumber()) {
          continue;
        }
        if (again && !entry.resetQueued) {
          entry.queued += entry.sent;
          entry.resetQueued = entry.resetSent;
        }
        entry.sent = 0;
        entry.resetSent = false;
        entry.sentIn = 0;
        if (!entry.isQueued()) {
          owed.remove(key);
        }
      }
      more = !owed.isEmpty();
    }
    if (more) {
      flushAfter(1);
    }
  }
}
