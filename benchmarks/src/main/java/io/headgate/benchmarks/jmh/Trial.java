package io.headgate.benchmarks.jmh;

import io.headgate.benchmarks.Figure;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One method, as JMH is to measure it.
 *
 * @param benchmark the benchmark in its figures
 * @param scenario the case in its figures
 * @param subject the subject in its figures
 * @param home the class of the method
 * @param method the method's name
 * @param threads how many threads ask at once
 * @param parameters values for the fields that JMH sets
 */
public record Trial(
    String benchmark,
    String scenario,
    String subject,
    Class<?> home,
    String method,
    int threads,
    Map<String, String> parameters) {

  /** A figure of this trial; the error is NaN where it is not known. */
  Figure figure(String metric, double value, double error, String unit) {
    @Nullable Double known = Double.isFinite(error) ? error : null;
    return new Figure(benchmark, scenario, subject, metric, value, known, unit);
  }
}
