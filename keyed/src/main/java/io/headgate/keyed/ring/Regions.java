package io.headgate.keyed.ring;

import io.headgate.core.hits.Behavior;
import io.headgate.core.hits.HitRequest;
import io.headgate.keyed.ring.bucket.HitKey;
import io.headgate.keyed.ring.cluster.Cluster;
import io.headgate.keyed.ring.global.HitOutbox;
import io.headgate.keyed.ring.global.SyncSettings;
import io.headgate.keyed.ring.peer.BatchIds;
import io.headgate.keyed.ring.peer.Peer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells the owners of a key in other data centers of the hits that were admitted in this one. Each
 * data center answers by its own count, which holds the hits of all, those of others a little
 * later.
 */
final class Regions {

  private final Cluster cluster;
  private final SyncSettings settings;
  private final Supplier<BatchIds> ids;
  private final ScheduledExecutorService scheduler;
  private final Map<String, HitOutbox> outboxes = new ConcurrentHashMap<>();

  Regions(
      Cluster cluster,
      SyncSettings settings,
      Supplier<BatchIds> ids,
      ScheduledExecutorService scheduler) {
    this.cluster = cluster;
    this.settings = settings;
    this.ids = ids;
    this.scheduler = scheduler;
  }

  void add(HitKey key, HitRequest request) {
    // Those who hear of it tell their own data center, and nobody else.
    HitRequest news = request.with(request.hits(), request.behavior() & ~Behavior.MULTI_REGION);
    for (String region : cluster.topology().regions()) {
      outboxes.computeIfAbsent(region, this::newOutbox).add(key, news);
    }
  }

  private HitOutbox newOutbox(String region) {
    return new HitOutbox(
        new HitOutbox.Route() {
          @Override
          public @Nullable Peer ownerOf(HitKey key) {
            return cluster.topology().ownerIn(region, key);
          }

          @Override
          public boolean isMember(Peer peer) {
            return cluster.topology().contains(peer);
          }

          @Override
          public void countHere(HitKey key, HitRequest request) {
            // The data center is gone: nobody is left there to count.
          }
        },
        settings,
        ids.get(),
        scheduler);
  }

  void flush() {
    outboxes.values().forEach(HitOutbox::flush);
  }

  int size() {
    return outboxes.values().stream().mapToInt(HitOutbox::size).sum();
  }

  long errors() {
    return outboxes.values().stream().mapToLong(HitOutbox::errors).sum();
  }
}
