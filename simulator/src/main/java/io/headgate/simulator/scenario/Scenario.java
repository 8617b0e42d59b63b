package io.headgate.simulator.scenario;

import io.headgate.core.rule.ServiceRules;
import io.headgate.simulator.world.Weather;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One simulation.
 *
 * @param name for people and the catalogue
 * @param about one line that says what it shows
 * @param seconds how long it lasts, in virtual time
 * @param seed the seed to use unless another is asked for
 * @param loop how the loop is set
 * @param weather what the network is like at first
 * @param clockSkewSeconds how far each node's clock is at most from the true time
 * @param clockDrift by how much each node's clock is at most too fast or too slow, as a part
 * @param regions the places
 * @param rules the rules in force at first
 * @param traffic who calls what how often
 * @param crowd who else does, leanly simulated, instead of {@code traffic}; null for nobody
 * @param events what happens to the places
 * @param watch what figures are about
 * @param expectations what must come of it
 */
public record Scenario(
    String name,
    String about,
    double seconds,
    long seed,
    Loop loop,
    Weather weather,
    double clockSkewSeconds,
    double clockDrift,
    List<Region> regions,
    List<ServiceRules> rules,
    List<Traffic> traffic,
    @Nullable Crowd crowd,
    List<Event> events,
    Watch watch,
    List<Expectation> expectations) {

  /** The same with clocks that differ by up to so much from the true time. */
  public Scenario withClockSkew(double seconds) {
    return with(loop, weather, seconds);
  }

  /**
   * The same with a part of its crowd.
   *
   * @param scale above 0, to 1
   * @throws IllegalArgumentException if it has no crowd, or for another scale
   */
  public Scenario scaled(double scale) {
    if (crowd == null) {
      throw new IllegalArgumentException(
          "scenario '" + name + "' has no crowd (expected for a scale)");
    }
    return with(loop, weather, clockSkewSeconds, crowd.scaled(scale));
  }

  /** The same under another loop and another weather. */
  public Scenario with(Loop loop, Weather weather) {
    return with(loop, weather, clockSkewSeconds);
  }

  private Scenario with(Loop loop, Weather weather, double clockSkewSeconds) {
    return with(loop, weather, clockSkewSeconds, crowd);
  }

  private Scenario with(
      Loop loop, Weather weather, double clockSkewSeconds, @Nullable Crowd crowd) {
    return new Scenario(
        name,
        about,
        seconds,
        seed,
        loop,
        weather,
        clockSkewSeconds,
        clockDrift,
        regions,
        rules,
        traffic,
        crowd,
        events,
        watch,
        expectations);
  }

  /**
   * A region with its zones.
   *
   * @param name its name
   * @param zones its zones' names
   * @param controllers how many controllers it has
   * @param aggregators how many aggregators each zone has
   */
  public record Region(String name, List<String> zones, int controllers, int aggregators) {}

  /**
   * What figures are about.
   *
   * @param service the service of the watched rule
   * @param rule the watched rule
   * @param stepSeconds when demand or limit changes, for figures on reaction
   * @param fromSeconds the beginning of the steady time, for figures on steadiness
   * @param untilSeconds its end
   */
  public record Watch(
      String service, String rule, double stepSeconds, double fromSeconds, double untilSeconds) {}

  /**
   * A bound on a figure.
   *
   * @param figure its name
   * @param atLeast the least it may be
   * @param atMost the most it may be
   */
  public record Expectation(String figure, double atLeast, double atMost) {

    /** Whether a value is within the bound. */
    public boolean isMet(double found) {
      return found >= atLeast && found <= atMost;
    }

    /** The bound in words. */
    public String expected() {
      if (atLeast == Double.NEGATIVE_INFINITY) {
        return "at most " + atMost;
      }
      if (atMost == Double.POSITIVE_INFINITY) {
        return "at least " + atLeast;
      }
      return atLeast + " to " + atMost;
    }
  }
}
