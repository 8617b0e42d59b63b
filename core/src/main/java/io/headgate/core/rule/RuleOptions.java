package io.headgate.core.rule;

import io.headgate.core.shed.Level;

/**
 * What most rules leave as it is.
 *
 * @param criticality the class of requests that carry none, from 0 (shed last) to 5 (shed first)
 * @param sampler how requests to be dropped are chosen
 * @param whenCutOff what happens to a global limit while regions cannot reach each other
 * @param surgeGuard by which factor a process may exceed its usual rate near the limit before it
 *     holds back by itself, until the control plane has judged: 1.5 to 10, or {@link #NO_GUARD}
 */
public record RuleOptions(
    int criticality, Sampler sampler, WhenCutOff whenCutOff, double surgeGuard) {

  /** No surge guard. */
  public static final double NO_GUARD = 0;

  /** The least factor of a surge guard; below it, it would drop what is noise. */
  public static final double LEAST_GUARD = 1.5;

  /** The greatest factor of a surge guard; above it, it would be of no use. */
  public static final double MOST_GUARD = 10;

  /** The options of a rule that names none. */
  public static final RuleOptions DEFAULT =
      new RuleOptions(Level.DEFAULT_CLASS, Sampler.AUTO, WhenCutOff.SHARE, NO_GUARD);

  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public RuleOptions {
    if (criticality < 0 || criticality >= Level.CLASSES) {
      throw new IllegalArgumentException("criticality: " + criticality + " (expected: 0 to 5)");
    }
    if (surgeGuard != NO_GUARD && !(surgeGuard >= LEAST_GUARD && surgeGuard <= MOST_GUARD)) {
      throw new IllegalArgumentException(
          "surge guard: " + surgeGuard + " (expected: 0 for none, or 1.5 to 10)");
    }
    surgeGuard += 0.0; // a negative zero becomes zero, so that equal options are equal
  }

  /** The same with another class for requests that carry none. */
  public RuleOptions withCriticality(int criticality) {
    return new RuleOptions(criticality, sampler, whenCutOff, surgeGuard);
  }

  /** The same with another way to choose what is dropped. */
  public RuleOptions withSampler(Sampler sampler) {
    return new RuleOptions(criticality, sampler, whenCutOff, surgeGuard);
  }

  /** The same for another way to go on when regions cannot reach each other. */
  public RuleOptions withWhenCutOff(WhenCutOff whenCutOff) {
    return new RuleOptions(criticality, sampler, whenCutOff, surgeGuard);
  }

  /** The same with another surge guard. */
  public RuleOptions withSurgeGuard(double surgeGuard) {
    return new RuleOptions(criticality, sampler, whenCutOff, surgeGuard);
  }

  /** Whether there is a surge guard. */
  public boolean isGuarded() {
    return surgeGuard != NO_GUARD;
  }
}
