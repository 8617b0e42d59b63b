package io.headgate.core.rule;

/**
 * The part of the fleet over which one bucket's demand is summed and held against one limit: a
 * zone, a region (without the zones that a rule sets apart), or everything (without what a rule
 * sets apart).
 *
 * @param scope how wide it is
 * @param name the zone's or region's name; empty for {@link Scope#GLOBAL}
 */
public record Domain(Scope scope, String name) {

  /** Everything. */
  public static final Domain GLOBAL = new Domain(Scope.GLOBAL, "");

  /** One zone. */
  public static Domain zone(String name) {
    return new Domain(Scope.ZONE, name);
  }

  /** One region. */
  public static Domain region(String name) {
    return new Domain(Scope.REGION, name);
  }

  @Override
  public String toString() {
    return name.isEmpty() ? scope.toString() : scope + ":" + name;
  }
}
