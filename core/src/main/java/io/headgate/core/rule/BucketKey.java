package io.headgate.core.rule;

/**
 * What is counted together: the requests that a rule is about, or those of one caller or procedure
 * where the rule counts each by itself.
 *
 * @param service the rule's service
 * @param rule the rule's name
 * @param caller the caller, for a rule per caller; else empty
 * @param procedure the procedure, for a rule per procedure; else empty
 */
public record BucketKey(String service, String rule, String caller, String procedure) {

  /** The bucket of {@code rule} in which a call is counted that the rule matches. */
  public static BucketKey of(String service, Rule rule, String caller, String procedure) {
    return new BucketKey(
        service, rule.name(), rule.perCaller() ? caller : "", rule.perProcedure() ? procedure : "");
  }
}
