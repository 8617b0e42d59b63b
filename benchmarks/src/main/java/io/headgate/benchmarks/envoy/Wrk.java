package io.headgate.benchmarks.envoy;

import io.headgate.benchmarks.BenchmarkFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Load by wrk, which must be installed. */
final class Wrk {

  private static final int CONNECTIONS = 16;
  private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([\\d.]+)");
  private static final Pattern PERCENTILE =
      Pattern.compile("\\n\\s+(50|99)%\\s+([\\d.]+)(us|ms|s)\\b");
  private static final Pattern REFUSED = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");

  private Wrk() {}

  /**
   * What a slice of load had.
   *
   * @param requestsPerSecond how many were answered
   * @param p50 how long they took, in microseconds
   * @param p99 likewise
   */
  record Slice(double requestsPerSecond, double p50, double p99) {}

  /** Keeps sixteen connections busy for some seconds. */
  static Slice run(String url, int seconds) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(
                  List.of("wrk", "-t1", "-c" + CONNECTIONS, "-d" + seconds + "s", "--latency", url))
              .redirectErrorStream(true)
              .start();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Matcher refused = REFUSED.matcher(out);
      if (process.waitFor() != 0 || refused.find()) {
        throw new BenchmarkFailure("wrk: not all requests passed:\n" + out);
      }
      return read(out);
    } catch (IOException e) {
      throw new BenchmarkFailure("wrk: cannot be started (expected: on the path)", e);
    }
  }

  private static Slice read(String out) {
    Matcher rate = RATE.matcher(out);
    if (!rate.find()) {
      throw new BenchmarkFailure("wrk: no result:\n" + out);
    }
    double p50 = 0;
    double p99 = 0;
    Matcher percentile = PERCENTILE.matcher(out);
    while (percentile.find()) {
      double unit =
          percentile.group(3).equals("us") ? 1 : percentile.group(3).equals("ms") ? 1e3 : 1e6;
      double micros = Double.parseDouble(percentile.group(2)) * unit;
      if (percentile.group(1).equals("50")) {
        p50 = micros;
      } else {
        p99 = micros;
      }
    }
    return new Slice(Double.parseDouble(rate.group(1)), p50, p99);
  }
}
