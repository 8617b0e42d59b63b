package io.headgate.benchmarks.limiters;

import io.headgate.benchmarks.Benchmark;
import io.headgate.benchmarks.Effort;
import io.headgate.benchmarks.Figure;
import io.headgate.benchmarks.jmh.Trial;
import io.headgate.benchmarks.jmh.Trials;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The cost of one decision that is counted in the process, measured with JMH. */
public final class LimitersBenchmark implements Benchmark {

  private static final List<String> ALGORITHMS =
      List.of("gcra", "fixed-window", "sliding-log", "sliding-counter", "segmented", "strict");

  @Override
  public String name() {
    return "limiters";
  }

  @Override
  public String summary() {
    return "the cost of one counted decision, beside Bucket4j, Resilience4j, Guava and Sentinel";
  }

  @Override
  public void run(Effort effort, Consumer<Figure> figures, Consumer<String> progress) {
    List<Trial> trials = new ArrayList<>();
    for (int threads = 1; threads <= 2; threads++) {
      add(trials, "hot-key", "one", threads, effort == Effort.FULL);
      trials.add(trial("hot-key", "sentinel", PeerLimiters.class, "sentinel", threads, Map.of()));
      add(trials, "100000-keys", "keys", threads, effort == Effort.FULL);
    }
    Trials.run(trials, effort, figures, progress);
  }

  private static void add(
      List<Trial> trials, String scenario, String method, int threads, boolean everyAlgorithm) {
    trials.add(own(scenario, Figure.HEADGATE, "token-bucket", method, threads));
    if (everyAlgorithm) {
      for (String algorithm : ALGORITHMS) {
        trials.add(own(scenario, "headgate-" + algorithm, algorithm, method, threads));
      }
    }
    for (String peer : List.of("bucket4j", "resilience4j", "guava")) {
      String peerMethod = method.equals("one") ? peer : peer + "Keys";
      trials.add(trial(scenario, peer, PeerLimiters.class, peerMethod, threads, Map.of()));
    }
  }

  private static Trial own(
      String scenario, String subject, String algorithm, String method, int threads) {
    Map<String, String> parameters = Map.of("algorithm", algorithm);
    return trial(scenario, subject, OwnLimiters.class, method, threads, parameters);
  }

  private static Trial trial(
      String scenario,
      String subject,
      Class<?> home,
      String method,
      int threads,
      Map<String, String> parameters) {
    String name = scenario + (threads == 1 ? "/1-thread" : "/" + threads + "-threads");
    return new Trial("limiters", name, subject, home, method, threads, parameters);
  }
}
