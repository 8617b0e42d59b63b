package io.headgate.core.rule;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/**
 * One limit of a service.
 *
 * @param name unique in its service
 * @param caller which callers it is about
 * @param procedure which procedures it is about
 * @param perCaller whether each distinct caller has a bucket of its own
 * @param perProcedure whether each distinct procedure has a bucket of its own
 * @param limit what it allows together over a {@link Domain}
 * @param limitsAt other limits for single regions or zones, by name; these count by themselves,
 *     apart from the rest
 * @param scope where the limit counts together
 * @param behavior what happens above it
 * @param options what most rules leave as it is
 */
public record Rule(
    String name,
    NamePattern caller,
    NamePattern procedure,
    boolean perCaller,
    boolean perProcedure,
    Rate limit,
    Map<String, Rate> limitsAt,
    Scope scope,
    Behavior behavior,
    RuleOptions options) {

  /**
   * The order in which a request meets the rules that match it: narrow scope before wide, the
   * closer match before the more general, shadow before enforced, so that a candidate sees the same
   * traffic as the limit that it may replace, then by name.
   */
  public static final Comparator<Rule> JUDGING_ORDER =
      Comparator.comparing(Rule::scope)
          .thenComparing(Rule::specificity, Comparator.reverseOrder())
          .thenComparing(Rule::behavior, Comparator.reverseOrder())
          .thenComparing(Rule::name);

  /**
   * @throws IllegalArgumentException if the rule's name or that of a region or zone is not an
   *     {@link Identifier}
   */
  public Rule {
    Identifier.require("rule", name);
    limitsAt = Map.copyOf(limitsAt);
    limitsAt.keySet().forEach(place -> Identifier.require("region or zone", place));
  }

  /** A rule with the usual {@linkplain RuleOptions#DEFAULT options}. */
  public Rule(
      String name,
      NamePattern caller,
      NamePattern procedure,
      boolean perCaller,
      boolean perProcedure,
      Rate limit,
      Map<String, Rate> limitsAt,
      Scope scope,
      Behavior behavior) {
    this(
        name,
        caller,
        procedure,
        perCaller,
        perProcedure,
        limit,
        limitsAt,
        scope,
        behavior,
        RuleOptions.DEFAULT);
  }

  /** What the name of a {@linkplain #candidate candidate} adds to that of its rule. */
  public static final String CANDIDATE = ".candidate";

  /**
   * A rule that judges the same traffic by another limit in shadow: it drops nothing, and tells
   * what it would drop. Limits of single regions and zones stay as they are.
   *
   * @throws IllegalArgumentException if the name is too long for another rule to have it with
   *     {@link #CANDIDATE} behind it
   */
  public Rule candidate(Rate other) {
    return new Rule(
        name + CANDIDATE,
        caller,
        procedure,
        perCaller,
        perProcedure,
        other,
        limitsAt,
        scope,
        Behavior.ALLOW,
        options.withSurgeGuard(RuleOptions.NO_GUARD));
  }

  /** The same rule with other options. */
  public Rule withOptions(RuleOptions options) {
    return new Rule(
        name,
        caller,
        procedure,
        perCaller,
        perProcedure,
        limit,
        limitsAt,
        scope,
        behavior,
        options);
  }

  /** Whether calls of {@code procedure} by {@code caller} count against this rule. */
  public boolean matches(String caller, String procedure) {
    return this.caller.matches(caller) && this.procedure.matches(procedure);
  }

  /** The part of the fleet together with which a process at {@code location} counts. */
  public Domain domain(Location location) {
    if (scope == Scope.ZONE || limitsAt.containsKey(location.zone())) {
      return Domain.zone(location.zone());
    }
    if (scope == Scope.REGION || limitsAt.containsKey(location.region())) {
      return Domain.region(location.region());
    }
    return Domain.GLOBAL;
  }

  /**
   * The limit for processes at {@code location}, to be held against the demand of their {@link
   * #domain}.
   */
  public Rate limit(Location location) {
    Rate atZone = limitsAt.get(location.zone());
    if (atZone != null) {
      return atZone;
    }
    return limitsAt.getOrDefault(location.region(), limit);
  }

  private long specificity() {
    return (long) caller.specificity() + procedure.specificity();
  }

  /**
   * A form that is the same for equal rules, whatever the order of their maps. The usual options
   * are left out, so that the digest of rules without any is the one that releases before options
   * give them.
   */
  @Override
  public String toString() {
    return "%s{caller=%s, procedure=%s, perCaller=%s, perProcedure=%s, limit=%s, limits=%s, scope=%s, behavior=%s%s}"
        .formatted(
            name,
            caller,
            procedure,
            perCaller,
            perProcedure,
            limit.perSecond(),
            new TreeMap<>(limitsAt),
            scope,
            behavior,
            options.equals(RuleOptions.DEFAULT) ? "" : ", options=" + options);
  }
}
