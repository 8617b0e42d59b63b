package io.headgate.benchmarks.judge;

import io.headgate.benchmarks.Effort;
import io.headgate.benchmarks.Figure;
import io.headgate.benchmarks.jmh.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the benchmark of one decision measures. */
final class JudgeTrials {

  private static final String[] THREADS = {"", "/1-thread", "/2-threads"};

  private JudgeTrials() {}

  /** All trials, one subject after the other within each case. */
  static List<Trial> all(Effort effort) {
    boolean full = effort == Effort.FULL;
    List<Trial> trials = new ArrayList<>();
    for (int threads = 1; threads < THREADS.length; threads++) {
      for (Map.Entry<String, String> variant :
          List.of(Map.entry("no-directive", "noDirective"), Map.entry("directive", "directive"))) {
        trials.add(of(variant, Figure.HEADGATE, HeadgateJudge.class, threads));
        trials.add(of(variant, "bucket4j", Bucket4jJudge.class, threads));
        trials.add(of(variant, "resilience4j", Resilience4jJudge.class, threads));
        trials.add(of(variant, "guava", GuavaJudge.class, threads));
      }
      if (full || threads == 1) {
        Map.Entry<String, String> chain = Map.entry("chain-of-3", "chainOf3");
        trials.add(of(chain, Figure.HEADGATE, HeadgateJudge.class, threads));
        trials.add(of(chain, "bucket4j", Bucket4jJudge.class, threads));
      }
    }
    addCalls(trials, EchoServer.IN_PROCESS);
    if (full) {
      addCalls(trials, EchoServer.LOOPBACK);
    }
    return trials;
  }

  private static Trial of(
      Map.Entry<String, String> variant, String subject, Class<?> home, int threads) {
    return new Trial(
        "judge",
        variant.getKey() + THREADS[threads],
        subject,
        home,
        variant.getValue(),
        threads,
        Map.of());
  }

  private static void addCalls(List<Trial> trials, String transport) {
    Map<String, String> parameters = Map.of("transport", transport);
    String scenario = "grpc-" + transport;
    trials.add(
        new Trial("judge", scenario, Figure.HEADGATE, GrpcCall.class, "headgate", 1, parameters));
    trials.add(new Trial("judge", scenario, "bare-grpc", GrpcCall.class, "bare", 1, parameters));
  }
}
