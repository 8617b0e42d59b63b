package io.headgate.envoy.bootstrap;

import io.headgate.core.rule.Rule;
import io.headgate.core.rule.ServiceRules;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * What Envoy looks up a drop ratio for, in the order in which it does. The stages multiply: each
 * judges what those before it let pass. Wide ones hold those limits that are not about a caller, or
 * not about a procedure, also for callers and procedures that nobody has heard of.
 */
public enum Stage {
  /** A caller and a procedure. */
  PAIR,
  /** A caller, over all procedures. */
  CALLER,
  /** A procedure, over all callers. */
  PROCEDURE,
  /** The service. */
  SERVICE;

  /** The stage that a rule of this shape is judged in. */
  public static Stage of(Rule rule) {
    boolean ofCaller = rule.perCaller() || !rule.caller().isAny();
    boolean ofProcedure = rule.perProcedure() || !rule.procedure().isAny();
    if (ofCaller) {
      return ofProcedure ? PAIR : CALLER;
    }
    return ofProcedure ? PROCEDURE : SERVICE;
  }

  /** The stages that the rules of a service need. */
  public static Set<Stage> of(ServiceRules rules) {
    Set<Stage> stages = EnumSet.noneOf(Stage.class);
    rules.rules().forEach(rule -> stages.add(of(rule)));
    return stages;
  }

  /** Its name on the wire. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Envoy's format of its keys. The name of the stage comes first, so that no name reaches another.
   */
  String key(String serviceFormat, String procedureFormat) {
    String caller = "%REQ(x-headgate-bucket-caller)%";
    String start = text() + "|" + serviceFormat;
    return switch (this) {
      case PAIR -> start + "|" + caller + "|" + procedureFormat;
      case CALLER -> start + "|" + caller;
      case PROCEDURE -> start + "|" + procedureFormat;
      case SERVICE -> start;
    };
  }
}
