package io.headgate.server.demo.measure;

import io.headgate.agent.BucketCounts;
import io.headgate.agent.HeadgateAgent;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * What the rules have counted at one moment, by rule and by where the calls came from.
 *
 * @param nanoTime when, on the clock of {@link System#nanoTime()}
 * @param counts the counts
 */
public record Census(long nanoTime, Map<RuleName, Map<Origin, Counts>> counts) {

  /** What these agents have counted now. Each stands for one caller, its own service. */
  public static Census take(Collection<HeadgateAgent> agents) {
    Map<RuleName, Map<Origin, Counts>> counts = new HashMap<>();
    for (HeadgateAgent agent : agents) {
      Origin origin = new Origin(agent.service(), agent.location());
      for (BucketCounts bucket : agent.bucketCounts()) {
        counts
            .computeIfAbsent(new RuleName(bucket.service(), bucket.rule()), name -> new HashMap<>())
            .merge(origin, Counts.of(bucket), Counts::plus);
      }
    }
    return new Census(System.nanoTime(), counts);
  }

  /** What was counted from {@code earlier} until now. */
  public Interval since(Census earlier) {
    Map<RuleName, Map<Origin, Counts>> differences = new HashMap<>();
    counts.forEach(
        (name, byOrigin) -> {
          Map<Origin, Counts> before = earlier.counts.getOrDefault(name, Map.of());
          Map<Origin, Counts> difference = new HashMap<>();
          byOrigin.forEach(
              (origin, now) ->
                  difference.put(origin, now.since(before.getOrDefault(origin, Counts.NONE))));
          differences.put(name, difference);
        });
    return new Interval((nanoTime - earlier.nanoTime) / 1e9, differences);
  }

  /** All calls that a rule has let pass. */
  public long admitted(RuleName name) {
    return counts.getOrDefault(name, Map.of()).values().stream().mapToLong(Counts::admitted).sum();
  }
}
