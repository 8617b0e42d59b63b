package io.headgate.control.controller;

import io.headgate.control.status.ControllerStatus.PeerLink;
import io.headgate.core.rule.Identifier;
import io.headgate.core.time.EventLoop;
import io.headgate.protocol.link.Acceptor;
import io.headgate.protocol.link.Connector;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.v1.ControllerHello;
import io.headgate.protocol.v1.RegionMessage;
import io.headgate.protocol.v1.RegionReport;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exchange of demand with controllers of other regions. Each side opens a stream to each
 * controller it is configured with and reports on the streams that it has opened; on those that
 * others have opened it only listens, after a hello that says who answers.
 */
final class Exchange implements Acceptor<RegionMessage, RegionMessage> {

  private static final Logger log = LoggerFactory.getLogger(Exchange.class);

  private static final int MAX_REGIONS = 1_000;
  private static final double NANOS_PER_SECOND = 1e9;

  private final ControllerSettings settings;
  private final EventLoop loop;
  private final Buckets buckets;
  private final Refusals refusals;
  private final Supplier<ControllerHello> ownHello;
  private final Consumer<Boolean> onReport;
  private final RegionExport export;

  private final List<PeerDial> dials = new ArrayList<>();
  private final Set<PeerStream> streams = new LinkedHashSet<>();
  private final Map<String, RemoteRegion> regions = new TreeMap<>();
  private final Set<String> staleRegions = new LinkedHashSet<>();
  private final Set<String> cutOffRegions = new LinkedHashSet<>();

  Exchange(
      ControllerSettings settings,
      EventLoop loop,
      Connector<RegionMessage, RegionMessage> connector,
      RandomGenerator random,
      Buckets buckets,
      Refusals refusals,
      Supplier<ControllerHello> ownHello,
      Consumer<Boolean> onReport) {
    this.settings = settings;
    this.loop = loop;
    this.buckets = buckets;
    this.refusals = refusals;
    this.ownHello = ownHello;
    this.onReport = onReport;
    this.export = new RegionExport(settings.maxBuckets());
    for (String address : settings.peers()) {
      dials.add(new PeerDial(address, connector, loop, random, ownHello));
    }
  }

  void start() {
    dials.forEach(PeerDial::connect);
  }

  void stop() {
    dials.forEach(PeerDial::stop);
    streams.forEach(PeerStream::close);
    streams.clear();
  }

  @Override
  public LinkListener<RegionMessage> accept(Peer peer, Link<RegionMessage> link) {
    RateTable rates = new RateTable(buckets, refusals, settings.maxBuckets());
    PeerStream stream = new PeerStream(this, refusals, link, peer.address(), rates);
    if (streams.size() >= settings.maxAggregators()) {
      refuse(stream, Refusal.TOO_MANY_STREAMS);
    } else {
      streams.add(stream);
      stream.send(RegionMessage.newBuilder().setHello(ownHello.get()).build());
    }
    return stream;
  }

  /** Takes a peer's first word, or refuses and ends its stream. */
  boolean welcome(PeerStream stream, ControllerHello hello) {
    Refusal reason = check(hello);
    if (reason != null) {
      refuse(stream, reason);
      return false;
    }
    for (PeerStream other : List.copyOf(streams)) {
      ControllerHello before = other.hello();
      if (before != null && before.getControllerId().equals(hello.getControllerId())) {
        streams.remove(other);
        other.close();
      }
    }
    log.info(
        "controller {} of region {} connected from {}",
        hello.getControllerId(),
        hello.getRegion(),
        stream.address());
    return true;
  }

  void reported(PeerStream stream, ControllerHello from, boolean urgent) {
    // While a peer is learning it knows a part of its region; the last whole is the better guess.
    if (!from.getLearning()) {
      regions
          .computeIfAbsent(
              from.getRegion(),
              name -> new RemoteRegion(name, regions.size(), settings.freshNanos()))
          .report(from.getControllerId(), from.getEpoch(), stream.rates(), loop.nanoTime());
      onReport.accept(urgent);
    }
  }

  void closed(PeerStream stream, String reason) {
    streams.remove(stream);
    ControllerHello hello = stream.hello();
    log.warn(
        "controller {} at {} lost: {}",
        hello == null ? "without a hello" : hello.getControllerId(),
        stream.address(),
        reason);
  }

  /** The stream has used up its bucket numbers: the peer will connect again, and begin anew. */
  void exhausted(PeerStream stream) {
    log.warn("stream from {} ended: it has named too many buckets", stream.address());
    streams.remove(stream);
    stream.close();
  }

  /** Tells peers whether this controller has heard its region. */
  void announce() {
    ControllerHello own = ownHello.get();
    RegionMessage message = RegionMessage.newBuilder().setHello(own).build();
    streams.forEach(stream -> stream.send(message));
    dials.forEach(dial -> dial.announce(own));
  }

  /** Reports the demand of this region, when only that has been summed. */
  void report(long configVersion, boolean urgent) {
    if (dials.isEmpty()) {
      return;
    }
    if (export.isExhausted(buckets.active())) {
      export.restart();
      dials.forEach(PeerDial::reconnect);
    }
    RegionReport report = export.report(buckets.active(), configVersion, urgent);
    dials.forEach(dial -> dial.report(report, export));
  }

  /** Lets time pass: turns away from replicas that are silent. */
  void advance(long nowNanos) {
    for (RemoteRegion region : regions.values()) {
      region.advance(nowNanos, isReached(region));
      if (region.isFresh(nowNanos)) {
        if (staleRegions.remove(region.name())) {
          log.info("region {} is heard again", region.name());
        }
      } else if (staleRegions.add(region.name())) {
        log.warn("region {} is silent; its last demand stays in force", region.name());
      }
      if (!region.isCutOff()) {
        cutOffRegions.remove(region.name());
      } else if (cutOffRegions.add(region.name())) {
        log.warn(
            "region {} is cut off; rules leave it its share or go on without it", region.name());
      }
    }
  }

  private boolean isReached(RemoteRegion region) {
    for (PeerDial dial : dials) {
      ControllerHello hello = dial.hello();
      if (hello != null && hello.getRegion().equals(region.name())) {
        return true;
      }
    }
    return false;
  }

  /** Adds the demand of the other regions. */
  void addDemand() {
    List<Integer> cutOff = new ArrayList<>();
    for (RemoteRegion region : regions.values()) {
      RateTable rates = region.rates();
      if (rates != null) {
        buckets.addRegionDemand(region.number(), rates, region.takeNews());
      } else {
        cutOff.add(region.number());
      }
    }
    buckets.cutOff(new CutOff(cutOff, regions.size() + 1));
  }

  /** Shows how well each region is heard. */
  void show(ControllerMetrics metrics, long nowNanos) {
    for (RemoteRegion region : regions.values()) {
      double age = region.ageNanos(nowNanos) / NANOS_PER_SECOND;
      metrics.showRegion(region.name(), age, region.isCutOff());
    }
  }

  /** Whether a configured peer may be there whose region has not been heard. */
  boolean isAwaited() {
    long nowNanos = loop.nanoTime();
    for (PeerDial dial : dials) {
      ControllerHello hello = dial.hello();
      RemoteRegion region = hello == null ? null : regions.get(hello.getRegion());
      if (!dial.isUnreachable() && (region == null || !region.isFresh(nowNanos))) {
        return true;
      }
    }
    return false;
  }

  /** Adds the rates of all streams, and those held, to {@code inUse}. */
  void collectRates(List<RateTable> inUse) {
    streams.forEach(stream -> inUse.add(stream.rates()));
    regions.values().forEach(region -> inUse.addAll(region.allRates()));
  }

  int connected() {
    int connected = 0;
    for (PeerDial dial : dials) {
      if (dial.hello() != null) {
        connected++;
      }
    }
    return connected;
  }

  /** The configured peers, in the order of the settings. */
  List<PeerLink> status(long nowNanos) {
    List<PeerLink> links = new ArrayList<>();
    for (PeerDial dial : dials) {
      ControllerHello hello = dial.hello();
      RemoteRegion region = hello == null ? null : regions.get(hello.getRegion());
      long age =
          hello == null || region == null ? -1 : region.ageNanos(hello.getControllerId(), nowNanos);
      links.add(
          new PeerLink(
              dial.address(),
              hello == null ? "" : hello.getRegion(),
              hello != null,
              age < 0 ? -1 : age / NANOS_PER_SECOND));
    }
    return links;
  }

  private @Nullable Refusal check(ControllerHello hello) {
    if (!Identifier.isValid(hello.getControllerId())
        || !Identifier.isValid(hello.getRegion())
        || (regions.size() >= MAX_REGIONS && !regions.containsKey(hello.getRegion()))) {
      return Refusal.BAD_HELLO;
    }
    if (hello.getRegion().equals(settings.region())) {
      return Refusal.WRONG_REGION;
    }
    RemoteRegion region = regions.get(hello.getRegion());
    return region != null && region.isOldEpoch(hello.getControllerId(), hello.getEpoch())
        ? Refusal.OLD_EPOCH
        : null;
  }

  private void refuse(PeerStream stream, Refusal reason) {
    refusals.count(reason);
    log.warn("stream from {} refused: {}", stream.address(), reason.tag());
    streams.remove(stream);
    stream.close();
  }
}
