package io.headgate.control.aggregator;

import io.headgate.control.RecordingLink;
import io.headgate.core.rule.BucketKey;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.shed.Directive;
import io.headgate.protocol.RuleMessages;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.ControllerHello;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.LevelRate;
import io.headgate.protocol.v1.ZoneDirection;
import io.headgate.protocol.v1.ZoneMessage;
import io.headgate.protocol.v1.ZoneReport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A controller at one address: keeps what it is told, and says what a test has it say. */
final class FakeController {

  private final String id;
  private @Nullable RecordingLink<ZoneMessage> link;
  private @Nullable LinkListener<ZoneDirection> stream;
  private final Map<Integer, BucketKey> names = new HashMap<>();
  private final Map<BucketKey, Double> offered = new HashMap<>();
  private final Map<BucketKey, Map<Integer, Double>> levels = new HashMap<>();
  private long version;
  private int connections;

  FakeController(String id) {
    this.id = id;
  }

  Link<ZoneMessage> accept(LinkListener<ZoneDirection> listener) {
    connections++;
    names.clear();
    link = new RecordingLink<>();
    stream = listener;
    return link;
  }

  int connections() {
    return connections;
  }

  boolean isConnected() {
    return link != null && !link.isClosed();
  }

  RecordingLink<ZoneMessage> link() {
    return link;
  }

  void send(ZoneDirection direction) {
    stream.onMessage(direction);
  }

  void hello(boolean learning) {
    hello("eu", learning);
  }

  void hello(String region, boolean learning) {
    send(
        ZoneDirection.newBuilder()
            .setHello(
                ControllerHello.newBuilder()
                    .setControllerId(id)
                    .setEpoch(1)
                    .setRegion(region)
                    .setLearning(learning))
            .build());
  }

  void rules(RuleSet rules) {
    version = rules.version();
    send(ZoneDirection.newBuilder().setRules(RuleMessages.all(rules)).build());
  }

  /** Says who it is, and what the rules are. */
  void join(RuleSet rules) {
    hello(false);
    rules(rules);
  }

  /**
   * A message of directives for 5 s, of the version of the rules that were sent last, as one says
   * it that has judged all it has heard of.
   */
  Directives.Builder directives() {
    return Directives.newBuilder()
        .setConfigVersion(version)
        .setTtlMillis(5000)
        .setJudgedTo(Integer.MAX_VALUE);
  }

  void direct(Directives.Builder directives) {
    send(ZoneDirection.newBuilder().setDirectives(directives).build());
  }

  void heartbeat() {
    direct(directives());
  }

  /** The whole of its directives: one bucket's share to pass, at the default level. */
  void directAll(BucketKey key, double acceptRatio) {
    read();
    direct(
        directives()
            .setComplete(true)
            .addBucket(number(key))
            .addLevel(3)
            .addAccept(Directive.accept(acceptRatio)));
  }

  int number(BucketKey key) {
    read();
    return names.entrySet().stream()
        .filter(entry -> entry.getValue().equals(key))
        .findFirst()
        .orElseThrow(() -> new AssertionError(key + " is not defined: " + names))
        .getKey();
  }

  void breakOff() {
    if (isConnected()) {
      link.close();
      stream.onClosed("UNAVAILABLE");
    }
  }

  /** Reads the reports, and returns the messages since the last call. */
  List<ZoneMessage> read() {
    List<ZoneMessage> messages = link.take();
    for (ZoneMessage message : messages) {
      if (message.hasReport()) {
        take(message.getReport());
      }
    }
    return messages;
  }

  /** The reports since the last call. */
  List<ZoneReport> readReports() {
    return read().stream().filter(ZoneMessage::hasReport).map(ZoneMessage::getReport).toList();
  }

  /** The demand by bucket as the reports have it so far, without the buckets that have none. */
  Map<BucketKey, Double> offered() {
    read();
    Map<BucketKey, Double> demand = new HashMap<>(offered);
    demand.values().removeIf(rate -> rate == 0);
    return demand;
  }

  /** The demand of a bucket by the levels that were named. */
  Map<Integer, Double> levels(BucketKey key) {
    read();
    return levels.getOrDefault(key, Map.of());
  }

  private void take(ZoneReport report) {
    for (BucketDefinition definition : report.getDefineList()) {
      BucketKey before = names.put(definition.getId(), ReportCheck.key(definition));
      if (before != null) {
        throw new AssertionError(definition.getId() + " meant " + before + " before");
      }
    }
    if (report.getComplete()) {
      offered.clear();
      levels.clear();
    }
    for (int row = 0; row < report.getBucketCount(); row++) {
      BucketKey key = names.get(report.getBucket(row));
      if (key == null) {
        throw new AssertionError(report.getBucket(row) + " is not defined");
      }
      offered.put(key, report.getOffered(row));
      levels.remove(key);
    }
    for (LevelRate level : report.getLevelList()) {
      levels
          .computeIfAbsent(names.get(report.getBucket(level.getRow())), k -> new TreeMap<>())
          .put(level.getLevel(), level.getOffered());
    }
  }
}
