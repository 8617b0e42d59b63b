package io.headgate.simulator.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import java.util.Map;

/**
 * What came of one simulation.
 *
 * @param scenario its name
 * @param seed the seed it ran with
 * @param passed whether every assertion did
 * @param assertions what was expected, and found
 * @param figures all figures by name
 * @param series the watched traffic over time
 */
@JsonPropertyOrder({"scenario", "seed", "passed", "assertions", "figures"})
public record Result(
    String scenario,
    long seed,
    boolean passed,
    List<Assertion> assertions,
    Map<String, Double> figures,
    @JsonIgnore Series series) {

  /**
   * One expectation and what became of it.
   *
   * @param name the figure's name
   * @param passed whether the figure is within its bound
   * @param found the figure
   * @param expected the bound in words
   */
  public record Assertion(String name, boolean passed, double found, String expected) {}

  /**
   * The watched traffic over time; one number a bin in each array.
   *
   * @param seconds the bins' middles
   * @param offeredPerSecond first attempts and retries
   * @param admittedPerSecond what passed
   * @param limitPerSecond the limit
   * @param dropRatio the share that was dropped
   */
  public record Series(
      double[] seconds,
      double[] offeredPerSecond,
      double[] admittedPerSecond,
      double[] limitPerSecond,
      double[] dropRatio) {}
}
