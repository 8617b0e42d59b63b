package io.headgate.envoy.stage;

import io.headgate.core.rule.Rule;
import io.headgate.core.rule.ServiceRules;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The buckets that a proxy looks up a drop ratio for, one after the other, each judging the
 * survivors of those before it. A rule is judged where the names that its bucket depends on are
 * known; so one about all callers of a procedure needs one key, which callers never seen before
 * meet as well.
 */
public enum Stage {
  /** By caller and procedure. */
  PAIR("pair", true, true),
  /** By caller, whatever is called. */
  CALLER("caller", true, false),
  /** By procedure, whoever calls. */
  PROCEDURE("procedure", false, true),
  /** All calls of the service. */
  SERVICE("service", false, false);

  /** All of them, in the order in which a request meets them. */
  public static final List<Stage> IN_ORDER = List.of(values());

  private final String text;
  private final boolean byCaller;
  private final boolean byProcedure;

  Stage(String text, boolean byCaller, boolean byProcedure) {
    this.text = text;
    this.byCaller = byCaller;
    this.byProcedure = byProcedure;
  }

  /** Where the buckets of a rule are judged. */
  public static Stage of(Rule rule) {
    boolean caller = rule.perCaller() || !rule.caller().isAny();
    boolean procedure = rule.perProcedure() || !rule.procedure().isAny();
    if (caller) {
      return procedure ? PAIR : CALLER;
    }
    return procedure ? PROCEDURE : SERVICE;
  }

  /** The stages that the rules of a service need. */
  public static Set<Stage> of(ServiceRules rules) {
    Set<Stage> stages = EnumSet.noneOf(Stage.class);
    rules.rules().forEach(rule -> stages.add(of(rule)));
    return stages;
  }

  /** The stage that a key belongs to, or null if it is none of a stage. */
  public static @Nullable Stage ofKey(String key) {
    for (Stage stage : IN_ORDER) {
      if (key.startsWith(stage.text) && key.startsWith("|", stage.text.length())) {
        return stage;
      }
    }
    return null;
  }

  /** Its name on the wire. */
  public String text() {
    return text;
  }

  /**
   * What the proxy looks up at this stage for a call, or the format by which it makes that. The
   * name of the stage comes first, so that no name of a client reaches another.
   */
  public String key(String service, String caller, String procedure) {
    StringBuilder key = new StringBuilder(text).append('|').append(service);
    if (byCaller) {
      key.append('|').append(caller);
    }
    if (byProcedure) {
      key.append('|').append(procedure);
    }
    return key.toString();
  }

  /** Whether the caller is part of the key. */
  public boolean byCaller() {
    return byCaller;
  }

  /** Whether the procedure is part of the key. */
  public boolean byProcedure() {
    return byProcedure;
  }
}
