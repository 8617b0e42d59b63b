package io.headgate.benchmarks;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import org.jspecify.annotations.Nullable;

/**
 * One measured number.
 *
 * @param benchmark the benchmark that measured it, such as {@code judge}
 * @param scenario what was done, such as {@code no-directive/1-thread}; {@code case} in JSON
 * @param subject what it was done with: {@link #HEADGATE}, or a peer in lower case
 * @param metric what was measured, such as {@code time}
 * @param value the number
 * @param error half the width of its 99.9 % confidence interval; null where there is only one
 *     sample
 * @param unit the unit of value and error, such as {@code ns/op}
 */
@JsonPropertyOrder({"benchmark", "case", "subject", "metric", "value", "error", "unit"})
public record Figure(
    String benchmark,
    @JsonProperty("case") String scenario,
    String subject,
    String metric,
    double value,
    @Nullable Double error,
    String unit) {

  /** The subject that is not a peer. */
  public static final String HEADGATE = "headgate";
}
