package io.headgate.control.controller;

import io.headgate.control.status.ControllerStatus.AggregatorLink;
import io.headgate.core.rule.Identifier;
import io.headgate.core.rule.Location;
import io.headgate.core.time.EventLoop;
import io.headgate.protocol.link.Acceptor;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.v1.ZoneDirection;
import io.headgate.protocol.v1.ZoneHello;
import io.headgate.protocol.v1.ZoneMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The aggregators of this region: their streams, and the demand of their zones. */
final class Aggregators implements Acceptor<ZoneDirection, ZoneMessage> {

  /** What the controller does when something comes from an aggregator. */
  interface Events {

    /** A stream was opened: what it is to be told first. */
    void connected(AggregatorStream stream);

    /** A stream has said whose it is. */
    void identified();

    /** A report was taken. */
    void reported(AggregatorStream stream, boolean first, boolean urgent);

    /** A stream takes messages again. */
    void ready(AggregatorStream stream);
  }

  private static final Logger log = LoggerFactory.getLogger(Aggregators.class);

  private static final int MAX_ZONES = 1_000;
  private static final double NANOS_PER_SECOND = 1e9;

  /** An aggregator whose report is this late counts as silent. */
  private static final double SILENT_INTERVALS = 1.5;

  /** A report may come this much early and still end a full interval. */
  private static final double FULL_INTERVAL = 0.9;

  private final ControllerSettings settings;
  private final EventLoop loop;
  private final Buckets buckets;
  private final Refusals refusals;
  private final Events events;
  private final long intervalNanos;

  private final Set<AggregatorStream> streams = new LinkedHashSet<>();
  private final Map<String, AggregatorStream> byId = new HashMap<>();
  private final Map<String, Zone> zoneByName = new HashMap<>();
  private final List<Zone> zones = new ArrayList<>();

  Aggregators(
      ControllerSettings settings,
      EventLoop loop,
      Buckets buckets,
      Refusals refusals,
      Events events) {
    this.settings = settings;
    this.loop = loop;
    this.buckets = buckets;
    this.refusals = refusals;
    this.events = events;
    this.intervalNanos = settings.reportInterval().toNanos();
  }

  @Override
  public LinkListener<ZoneMessage> accept(Peer peer, Link<ZoneDirection> link) {
    RateTable rates = new RateTable(buckets, refusals, settings.maxBuckets());
    AggregatorStream stream =
        new AggregatorStream(this, refusals, link, peer.address(), rates, nanoTime());
    if (streams.size() >= settings.maxAggregators()) {
      refuse(stream, Refusal.TOO_MANY_STREAMS);
    } else {
      streams.add(stream);
      events.connected(stream);
    }
    return stream;
  }

  void hello(AggregatorStream stream, ZoneHello hello) {
    Refusal reason = check(hello);
    if (reason != null) {
      refuse(stream, reason);
      return;
    }
    String id = hello.getAggregatorId();
    AggregatorStream before = byId.get(id);
    if (before != null) {
      leave(before);
      before.close();
    }
    Zone zone = zoneByName.computeIfAbsent(hello.getZone(), this::addZone);
    stream.identify(new ZoneDemand.Incarnation(id, hello.getEpoch()), zone);
    byId.put(id, stream);
    log.info(
        "aggregator {} of zone {} connected from {} (version {})",
        id,
        zone.name(),
        stream.address(),
        hello.getVersion());
    events.identified();
  }

  void reported(AggregatorStream stream, boolean first, boolean urgent) {
    Zone zone = stream.zone();
    ZoneDemand.Incarnation incarnation = stream.incarnation();
    if (zone != null && incarnation != null) {
      zone.demand().report(incarnation, stream.rates(), stream.clients(), nanoTime());
      zone.demand().asking(incarnation, stream.asking());
      events.reported(stream, first, urgent);
    }
  }

  void ready(AggregatorStream stream) {
    events.ready(stream);
  }

  void goodbye(AggregatorStream stream) {
    Zone zone = stream.zone();
    ZoneDemand.Incarnation incarnation = stream.incarnation();
    if (zone == null || incarnation == null) {
      refusals.count(Refusal.OUT_OF_ORDER);
      return;
    }
    zone.demand().goodbye(incarnation);
    leave(stream);
    stream.close();
    log.info("aggregator {} of zone {} said goodbye", incarnation.aggregatorId(), zone.name());
  }

  void closed(AggregatorStream stream, String reason) {
    ZoneDemand.Incarnation incarnation = stream.incarnation();
    leave(stream);
    log.warn(
        "aggregator {} at {} lost: {}",
        incarnation == null ? "without a hello" : incarnation.aggregatorId(),
        stream.address(),
        reason);
  }

  /**
   * The stream has used up its bucket numbers: the aggregator will connect again, and begin anew.
   */
  void exhausted(AggregatorStream stream) {
    log.warn("stream from {} ended: it has named too many buckets", stream.address());
    leave(stream);
    stream.close();
  }

  /** Lets time pass: finds the silent, and forgets the demand of those long gone. */
  void advance(long nowNanos) {
    for (Zone zone : zones) {
      zone.demand().advance(nowNanos);
    }
  }

  /** Adds the demand of all zones. */
  void addDemand() {
    streams.forEach(AggregatorStream::demandTaken);
    for (Zone zone : zones) {
      zone.demand()
          .forEach(
              (rates, obeying, open) -> buckets.addZoneDemand(zone.number(), rates, obeying, open));
    }
  }

  /** Does something for each open stream. */
  void forEach(Consumer<AggregatorStream> action) {
    streams.forEach(action);
  }

  /** Ends all streams. */
  void close() {
    streams.forEach(AggregatorStream::close);
    streams.clear();
    byId.clear();
  }

  Learning.Census census() {
    int heard = 0;
    long clients = 0;
    int sources = 0;
    boolean known = false;
    for (AggregatorStream stream : byId.values()) {
      clients += stream.clients();
      if (stream.isHeardFor((long) (FULL_INTERVAL * intervalNanos), nanoTime())) {
        heard++;
      }
    }
    for (Zone zone : zones) {
      sources += zone.demand().sources();
      known |= zone.demand().heldClients() > 0;
    }
    return new Learning.Census(byId.size(), heard, clients, sources, known);
  }

  /** Adds the rates of all streams, and those held, to {@code inUse}. */
  void collectRates(List<RateTable> inUse) {
    streams.forEach(stream -> inUse.add(stream.rates()));
    for (Zone zone : zones) {
      zone.demand().forEach((rates, obeying, open) -> inUse.add(rates));
    }
  }

  int connected() {
    return byId.size();
  }

  /** The time since the latest report of the zone's longest silent aggregator, in seconds. */
  private double oldestReportSeconds(Zone zone, long nowNanos) {
    long oldest = 0;
    for (AggregatorStream stream : byId.values()) {
      if (zone.equals(stream.zone())) {
        oldest = Math.max(oldest, stream.ageNanos(nowNanos));
      }
    }
    for (ZoneDemand.Lost lost : zone.demand().lost()) {
      oldest = Math.max(oldest, nowNanos - lost.reportedAtNanos());
    }
    return oldest / NANOS_PER_SECOND;
  }

  /** Shows how well each zone is heard. */
  void show(ControllerMetrics metrics, long nowNanos) {
    for (Zone zone : zones) {
      metrics.showZone(
          zone.name(), oldestReportSeconds(zone, nowNanos), zone.demand().openClients());
    }
  }

  /** The aggregators that are connected, and those whose rates are held, by id. */
  List<AggregatorLink> status(long nowNanos) {
    List<AggregatorLink> links = new ArrayList<>();
    byId.forEach(
        (id, stream) -> {
          Zone zone = stream.zone();
          links.add(
              new AggregatorLink(
                  id,
                  zone == null ? "" : zone.name(),
                  true,
                  stream.clients(),
                  stream.ageNanos(nowNanos) / NANOS_PER_SECOND));
        });
    for (Zone zone : zones) {
      for (ZoneDemand.Lost lost : zone.demand().lost()) {
        String id = lost.incarnation().aggregatorId();
        if (!byId.containsKey(id)) {
          double age = (nowNanos - lost.reportedAtNanos()) / NANOS_PER_SECOND;
          links.add(new AggregatorLink(id, zone.name(), false, lost.clients(), age));
        }
      }
    }
    links.sort(Comparator.comparing(AggregatorLink::zone).thenComparing(AggregatorLink::id));
    return links;
  }

  long nanoTime() {
    return loop.nanoTime();
  }

  /** How long after its latest report an aggregator counts as silent. */
  long silentNanos() {
    return (long) (SILENT_INTERVALS * intervalNanos);
  }

  private @Nullable Refusal check(ZoneHello hello) {
    if (!Identifier.isValid(hello.getAggregatorId())
        || !Identifier.isValid(hello.getZone())
        || (zones.size() >= MAX_ZONES && !zoneByName.containsKey(hello.getZone()))) {
      return Refusal.BAD_HELLO;
    }
    if (!hello.getRegion().equals(settings.region())) {
      return Refusal.WRONG_REGION;
    }
    return isOld(hello) ? Refusal.OLD_EPOCH : null;
  }

  private boolean isOld(ZoneHello hello) {
    AggregatorStream before = byId.get(hello.getAggregatorId());
    if (before != null && isLater(before.incarnation(), hello)) {
      return true;
    }
    for (Zone zone : zones) {
      for (ZoneDemand.Lost lost : zone.demand().lost()) {
        if (isLater(lost.incarnation(), hello)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isLater(ZoneDemand.@Nullable Incarnation known, ZoneHello hello) {
    return known != null
        && known.aggregatorId().equals(hello.getAggregatorId())
        && Long.compareUnsigned(known.epoch(), hello.getEpoch()) > 0;
  }

  private void refuse(AggregatorStream stream, Refusal reason) {
    refusals.count(reason);
    log.warn("stream from {} refused: {}", stream.address(), reason.tag());
    streams.remove(stream);
    stream.close();
  }

  private void leave(AggregatorStream stream) {
    streams.remove(stream);
    ZoneDemand.Incarnation incarnation = stream.incarnation();
    Zone zone = stream.zone();
    if (incarnation != null && zone != null && byId.remove(incarnation.aggregatorId(), stream)) {
      zone.demand().lost(incarnation, nanoTime());
    }
  }

  private Zone addZone(String name) {
    int number = buckets.addZone(new Location(settings.region(), name));
    ZoneDemand.Timing timing =
        new ZoneDemand.Timing(
            silentNanos(),
            settings.holdNanos(),
            settings.directiveTtl().toNanos(),
            settings.releaseRamp().toNanos(),
            ControllerSettings.FORGET_ZONE.toNanos());
    Zone zone = new Zone(number, name, new ZoneDemand<>(timing));
    zones.add(zone);
    return zone;
  }
}
