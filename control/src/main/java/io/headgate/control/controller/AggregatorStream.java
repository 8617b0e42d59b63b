package io.headgate.control.controller;

import io.headgate.core.shed.Directive;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.ZoneDirection;
import io.headgate.protocol.v1.ZoneHello;
import io.headgate.protocol.v1.ZoneMessage;
import io.headgate.protocol.v1.ZoneReport;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The stream of one aggregator: the rates it reports, and the directives it was given. */
final class AggregatorStream implements LinkListener<ZoneMessage> {

  /** The relative change of an accept threshold from which on a tick sends it. */
  private static final double WORTH_SENDING = 1e-3;

  /**
   * The same between two ticks. Each message goes on to every agent that has the bucket, and among
   * many buckets there is always one whose demand moves: what others differ by is noise, and can
   * wait for the tick.
   */
  private static final double WORTH_SENDING_AT_ONCE = 0.05;

  private static final long NONE = Directive.NONE.toBits();

  private final Aggregators owner;
  private final Refusals refusals;
  private final Link<ZoneDirection> link;
  private final String address;
  private final RateTable rates;
  private final long connectedAtNanos;

  private ZoneDemand.@Nullable Incarnation incarnation;
  private @Nullable Zone zone;
  private long lastSequence;
  private int clients;
  private int asking;
  private boolean reported;
  private long heardSinceNanos;
  private long lastReportNanos;

  /** For each bucket of the stream, the directive sent last. */
  private long[] sent = {};

  private boolean sendAll = true;

  /** Directives are about the demand for the buckets with numbers up to this. */
  private int judgedTo;

  private int toldJudgedTo;

  AggregatorStream(
      Aggregators owner,
      Refusals refusals,
      Link<ZoneDirection> link,
      String address,
      RateTable rates,
      long nowNanos) {
    this.owner = owner;
    this.refusals = refusals;
    this.link = link;
    this.address = address;
    this.rates = rates;
    this.connectedAtNanos = nowNanos;
  }

  @Override
  public void onMessage(ZoneMessage message) {
    switch (message.getKindCase()) {
      case HELLO -> hello(message.getHello());
      case REPORT -> report(message.getReport());
      case GOODBYE -> owner.goodbye(this);
      case KIND_NOT_SET -> refusals.count(Refusal.OUT_OF_ORDER);
    }
  }

  @Override
  public void onReady() {
    owner.ready(this);
  }

  @Override
  public void onClosed(String reason) {
    owner.closed(this, reason);
  }

  /** Becomes the stream of an aggregator of a zone. */
  void identify(ZoneDemand.Incarnation incarnation, Zone zone) {
    this.incarnation = incarnation;
    this.zone = zone;
  }

  void send(ZoneDirection direction) {
    link.send(direction);
  }

  void close() {
    link.close();
  }

  /**
   * Sends the directives that have changed.
   *
   * @param tick whether to send small changes too, and a message even if nothing has changed, so
   *     that what is in force goes on
   */
  void push(long configVersion, int ttlMillis, boolean tick) {
    Zone zone = this.zone;
    // Before its first report there is no number by which to call a bucket.
    if (zone == null || !reported || !link.isReady()) {
      return;
    }
    Directives.Builder message = Directives.newBuilder().setComplete(sendAll);
    double least = tick ? WORTH_SENDING : WORTH_SENDING_AT_ONCE;
    makeRoom();
    for (int id = 1; id <= judgedTo; id++) {
      Bucket bucket = rates.bucket(id);
      long bits = bucket == null ? NONE : bucket.directiveBits(zone.number());
      if (sendAll ? bits != NONE : isWorthSending(sent[id], bits, least)) {
        Directive directive = Directive.fromBits(bits);
        message.addBucket(id).addLevel(directive.level()).addAccept(directive.accept());
        sent[id] = bits;
      } else if (sendAll) {
        sent[id] = NONE;
      }
    }
    if (tick || sendAll || judgedTo > toldJudgedTo || message.getBucketCount() > 0) {
      message.setConfigVersion(configVersion).setTtlMillis(ttlMillis).setJudgedTo(judgedTo);
      link.send(ZoneDirection.newBuilder().setDirectives(message).build());
      toldJudgedTo = judgedTo;
      sendAll = false;
    }
  }

  /** The next directives will be about all that was reported up to now. */
  void demandTaken() {
    judgedTo = rates.lastId();
  }

  /** Makes the next message of directives a whole one. */
  void sendAll() {
    sendAll = true;
  }

  String address() {
    return address;
  }

  RateTable rates() {
    return rates;
  }

  ZoneDemand.@Nullable Incarnation incarnation() {
    return incarnation;
  }

  @Nullable Zone zone() {
    return zone;
  }

  int clients() {
    return clients;
  }

  /** How many clients obey that have not reported yet. */
  int asking() {
    return asking;
  }

  /** Whether it reports now, and its reports without a gap cover so much time. */
  boolean isHeardFor(long nanos, long nowNanos) {
    return reported
        && nowNanos - lastReportNanos <= owner.silentNanos()
        && lastReportNanos - heardSinceNanos >= nanos;
  }

  /** How long ago its last report came; since it connected if none has. */
  long ageNanos(long nowNanos) {
    return nowNanos - (reported ? lastReportNanos : connectedAtNanos);
  }

  private void hello(ZoneHello hello) {
    if (incarnation != null) {
      refusals.count(Refusal.OUT_OF_ORDER);
      return;
    }
    owner.hello(this, hello);
  }

  private void report(ZoneReport report) {
    if (incarnation == null) {
      refusals.count(Refusal.OUT_OF_ORDER);
    } else if (Long.compareUnsigned(report.getSequence(), lastSequence) <= 0) {
      rates.define(report.getDefineList());
      refusals.count(Refusal.REPEATED);
    } else if (report.getClients() < 0 || report.getAsking() < 0) {
      refusals.count(Refusal.BAD_NUMBER);
    } else if (rates.apply(RateReport.of(report))) {
      taken(report);
    }
    if (rates.isExhausted()) {
      owner.exhausted(this);
    }
  }

  private void taken(ZoneReport report) {
    lastSequence = report.getSequence();
    clients = report.getClients();
    asking = report.getAsking();
    long nowNanos = owner.nanoTime();
    boolean first = !reported;
    if (first || nowNanos - lastReportNanos > owner.silentNanos()) {
      heardSinceNanos = nowNanos;
    }
    reported = true;
    lastReportNanos = nowNanos;
    owner.reported(this, first, report.getUrgent());
  }

  private void makeRoom() {
    int before = sent.length;
    if (rates.lastId() >= before) {
      sent = Arrays.copyOf(sent, Math.max(rates.lastId() + 1, 2 * before));
      Arrays.fill(sent, before, sent.length, NONE);
    }
  }

  private static boolean isWorthSending(long sentBits, long bits, double least) {
    if (sentBits == bits) {
      return false;
    }
    Directive sent = Directive.fromBits(sentBits);
    Directive next = Directive.fromBits(bits);
    if (sent.level() != next.level()) {
      return true;
    }
    double before = Integer.toUnsignedLong(sent.accept());
    double now = Integer.toUnsignedLong(next.accept());
    return Math.abs(now - before) > least * before;
  }
}
