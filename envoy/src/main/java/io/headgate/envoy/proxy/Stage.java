package io.headgate.envoy.proxy;

import io.headgate.core.rule.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The buckets that a proxy looks up for a request, one after the other, each judging the survivors
 * of those before it. A rule is judged where the names that its bucket depends on are known; so one
 * about all callers of a procedure needs one key, which callers never seen before meet as well.
 */
enum Stage {
  /** By caller and procedure. */
  PAIR("pair", true, true),
  /** By caller, whatever is called. */
  CALLER("caller", true, false),
  /** By procedure, whoever calls. */
  PROCEDURE("procedure", false, true),
  /** All calls of the service. */
  SERVICE("service", false, false);

  static final List<Stage> IN_ORDER = List.of(values());

  private final String prefix;
  private final boolean byCaller;
  private final boolean byProcedure;

  Stage(String name, boolean byCaller, boolean byProcedure) {
    prefix = name + "|";
    this.byCaller = byCaller;
    this.byProcedure = byProcedure;
  }

  /** Where the buckets of a rule are judged. */
  static Stage of(Rule rule) {
    boolean caller = rule.perCaller() || !rule.caller().isAny();
    boolean procedure = rule.perProcedure() || !rule.procedure().isAny();
    if (caller) {
      return procedure ? PAIR : CALLER;
    }
    return procedure ? PROCEDURE : SERVICE;
  }

  /** The stage that a key belongs to, or null if it is none of a stage. */
  static @Nullable Stage ofKey(String key) {
    for (Stage stage : IN_ORDER) {
      if (key.startsWith(stage.prefix)) {
        return stage;
      }
    }
    return null;
  }

  /** What the proxy looks up at this stage for a call. */
  String key(String service, String caller, String procedure) {
    StringBuilder key = new StringBuilder(prefix).append(service);
    if (byCaller) {
      key.append('|').append(caller);
    }
    if (byProcedure) {
      key.append('|').append(procedure);
    }
    return key.toString();
  }

  /** Whether the caller is part of the key. */
  boolean byCaller() {
    return byCaller;
  }

  /** Whether the procedure is part of the key. */
  boolean byProcedure() {
    return byProcedure;
  }
}
