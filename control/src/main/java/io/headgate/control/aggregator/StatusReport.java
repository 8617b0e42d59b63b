package io.headgate.control.aggregator;

import io.headgate.control.status.AggregatorStatus;
import io.headgate.control.status.BucketStatus;
import io.headgate.core.rule.BucketKey;
import io.headgate.core.rule.Location;
import io.headgate.core.rule.Rule;
import io.headgate.core.shed.Directive;
import io.headgate.core.shed.Level;
import java.util.ArrayList;
import java.util.List;

/** Writes down what an aggregator knows. */
final class StatusReport {

  private StatusReport() {}

  static AggregatorStatus of(
      AggregatorSettings settings,
      Clients clients,
      RulesInForce rules,
      DirectivesInForce directives,
      Following following,
      List<ControllerLink> controllers,
      BucketTable table,
      ZoneSums sums,
      Overload overload) {
    ControllerLink followed = following.followed();
    return new AggregatorStatus(
        settings.aggregatorId(),
        settings.region(),
        settings.zone(),
        clients.fresh(),
        overload.slowDownMillis(),
        rules.get().version(),
        rules.isKnown() ? rules.get().digest() : "",
        followed == null ? "" : id(followed),
        controllers.stream().map(StatusReport::link).toList(),
        buckets(new Location(settings.region(), settings.zone()), directives, table, sums));
  }

  private static AggregatorStatus.ControllerLink link(ControllerLink controller) {
    ControllerStream stream = controller.stream();
    return new AggregatorStatus.ControllerLink(
        controller.address(),
        id(controller),
        stream != null,
        stream != null && stream.isLearning());
  }

  private static String id(ControllerLink controller) {
    ControllerStream stream = controller.stream();
    return stream == null || stream.hello() == null ? "" : stream.hello().getControllerId();
  }

  private static List<BucketStatus> buckets(
      Location location, DirectivesInForce directives, BucketTable table, ZoneSums sums) {
    List<BucketStatus> buckets = new ArrayList<>();
    for (int bucket = 0; bucket < table.end(); bucket++) {
      Rule rule = table.rule(bucket);
      if (rule == null || sums.offered(bucket) == 0) {
        continue;
      }
      BucketKey key = table.key(bucket);
      buckets.add(
          new BucketStatus(
              key.service(),
              key.rule(),
              key.caller(),
              key.procedure(),
              rule.domain(location).toString(),
              rule.behavior().toString(),
              rule.limit(location).perSecond(),
              sums.offered(bucket),
              sums.dropped(bucket),
              sums.wouldDrop(bucket),
              dropRatio(directives.directive(bucket), sums, bucket)));
    }
    return buckets;
  }

  /** The share of a bucket's demand, as it is spread over the levels, that its directive drops. */
  private static double dropRatio(Directive directive, ZoneSums sums, int bucket) {
    if (directive.isNone()) {
      return 0;
    }
    double offered = sums.offered(bucket);
    double unsaid = offered;
    double dropped = 0;
    for (int level = 0; level < Level.COUNT; level++) {
      double ofLevel = sums.level(bucket, level);
      unsaid -= ofLevel;
      dropped += ofLevel * (1 - directive.acceptRatio(level));
    }
    dropped += Math.max(0, unsaid) * (1 - directive.acceptRatio(Level.UNSAID));
    return Math.min(1, dropped / offered);
  }
}
