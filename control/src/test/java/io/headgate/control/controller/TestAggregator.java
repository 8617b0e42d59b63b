package io.headgate.control.controller;

import io.headgate.control.RecordingLink;
import io.headgate.core.rule.BucketKey;
import io.headgate.core.shed.Directive;
import io.headgate.protocol.link.Acceptor;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.Goodbye;
import io.headgate.protocol.v1.LevelRate;
import io.headgate.protocol.v1.Rules;
import io.headgate.protocol.v1.ZoneDirection;
import io.headgate.protocol.v1.ZoneHello;
import io.headgate.protocol.v1.ZoneMessage;
import io.headgate.protocol.v1.ZoneReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The other end of an aggregator's stream: says what a test wants, and obeys directives. */
final class TestAggregator {

  private final String id;
  private final long epoch;
  private final String region;
  private final String zone;
  private final Acceptor<ZoneDirection, ZoneMessage> controller;

  private final Map<BucketKey, Double> rates = new LinkedHashMap<>();
  private final Map<BucketKey, Map<Integer, Double>> levels = new HashMap<>();
  private final Map<BucketKey, Integer> numbers = new HashMap<>();
  private final Map<Integer, BucketKey> keys = new HashMap<>();
  private final Map<BucketKey, Directive> inForce = new HashMap<>();
  private final List<ZoneDirection> heard = new ArrayList<>();

  private RecordingLink<ZoneDirection> link = new RecordingLink<>();
  private LinkListener<ZoneMessage> listener;
  private int clients = 1;
  private int asking;
  private long sequence;

  TestAggregator(
      Acceptor<ZoneDirection, ZoneMessage> controller,
      String id,
      long epoch,
      String region,
      String zone) {
    this.controller = controller;
    this.id = id;
    this.epoch = epoch;
    this.region = region;
    this.zone = zone;
  }

  /** Opens a stream, without a hello. */
  TestAggregator open() {
    link = new RecordingLink<>();
    numbers.clear();
    keys.clear();
    listener = controller.accept(new Acceptor.Peer("127.0.0.1:1", Set.of()), link);
    return this;
  }

  /** Opens a stream and says hello. */
  TestAggregator connect() {
    open();
    send(
        ZoneMessage.newBuilder()
            .setHello(
                ZoneHello.newBuilder()
                    .setAggregatorId(id)
                    .setEpoch(epoch)
                    .setRegion(region)
                    .setZone(zone))
            .build());
    return this;
  }

  TestAggregator clients(int clients) {
    this.clients = clients;
    return this;
  }

  /** So many clients have asked what is in force and have not reported. */
  TestAggregator asking(int asking) {
    this.asking = asking;
    return this;
  }

  TestAggregator offer(BucketKey bucket, double perSecond) {
    rates.put(bucket, perSecond);
    return this;
  }

  /** What is offered at a level other than the default, beside what is offered already. */
  TestAggregator offerAt(BucketKey bucket, int level, double perSecond) {
    rates.merge(bucket, perSecond, Double::sum);
    levels.computeIfAbsent(bucket, key -> new HashMap<>()).put(level, perSecond);
    return this;
  }

  /** Reports all rates. */
  TestAggregator report() {
    send(ZoneMessage.newBuilder().setReport(nextReport()).build());
    return this;
  }

  /** The next report, for a test to spoil. */
  ZoneReport.Builder nextReport() {
    ZoneReport.Builder report =
        ZoneReport.newBuilder()
            .setSequence(++sequence)
            .setClients(clients)
            .setAsking(asking)
            .setComplete(true);
    rates.forEach(
        (bucket, perSecond) -> {
          levels
              .getOrDefault(bucket, Map.of())
              .forEach(
                  (level, part) ->
                      report.addLevel(
                          LevelRate.newBuilder()
                              .setRow(report.getBucketCount())
                              .setLevel(level)
                              .setOffered(part)));
          report.addBucket(number(bucket, report)).addOffered(perSecond);
        });
    return report;
  }

  void send(ZoneMessage message) {
    listener.onMessage(message);
  }

  void goodbye() {
    send(ZoneMessage.newBuilder().setGoodbye(Goodbye.getDefaultInstance()).build());
  }

  /** The connection breaks. */
  void lose() {
    listener.onClosed("connection lost");
  }

  void becomeReady() {
    link.ready(true);
    listener.onReady();
  }

  RecordingLink<ZoneDirection> link() {
    return link;
  }

  /** What came since the last call; directives are obeyed. */
  List<ZoneDirection> take() {
    List<ZoneDirection> taken = new ArrayList<>(link.take());
    taken.stream().filter(ZoneDirection::hasDirectives).forEach(d -> obey(d.getDirectives()));
    taken.addAll(0, heard);
    heard.clear();
    return taken;
  }

  List<Directives> takeDirectives() {
    return take().stream()
        .filter(ZoneDirection::hasDirectives)
        .map(ZoneDirection::getDirectives)
        .toList();
  }

  List<Rules> takeRules() {
    return take().stream().filter(ZoneDirection::hasRules).map(ZoneDirection::getRules).toList();
  }

  /** The directive in force for a bucket. */
  Directive directive(BucketKey bucket) {
    heard.addAll(take());
    return inForce.getOrDefault(bucket, Directive.NONE);
  }

  /** The share of a bucket's requests at the default level that pass. */
  double accept(BucketKey bucket) {
    return directive(bucket).acceptRatio(3);
  }

  private void obey(Directives directives) {
    if (directives.getComplete()) {
      inForce.clear();
    }
    for (int row = 0; row < directives.getBucketCount(); row++) {
      BucketKey bucket = keys.get(directives.getBucket(row));
      if (bucket == null) {
        throw new AssertionError("a directive for an unknown bucket in " + directives);
      }
      inForce.put(bucket, new Directive(directives.getLevel(row), directives.getAccept(row)));
    }
  }

  private int number(BucketKey bucket, ZoneReport.Builder report) {
    Integer known = numbers.get(bucket);
    if (known != null) {
      return known;
    }
    int number = numbers.size() + 1;
    numbers.put(bucket, number);
    keys.put(number, bucket);
    report.addDefine(
        BucketDefinition.newBuilder()
            .setId(number)
            .setService(bucket.service())
            .setRule(bucket.rule())
            .setCaller(bucket.caller())
            .setProcedure(bucket.procedure()));
    return number;
  }
}
