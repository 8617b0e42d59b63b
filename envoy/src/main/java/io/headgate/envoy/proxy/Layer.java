package io.headgate.envoy.proxy;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.headgate.agent.Gate;
import io.headgate.agent.RelayBucket;
import io.headgate.envoy.stage.Stage;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The drop ratios of one proxy, by what it looks up: only what drops.
 *
 * @param millionths the ratios in millionths, 1 to 1,000,000, by key
 */
record Layer(Map<String, Integer> millionths) {

  static final Layer EMPTY = new Layer(Map.of());

  private static final double MILLION = 1e6;

  /**
   * Envoy takes the denominator as this text only, and ignores a value that is formed otherwise.
   */
  private static final Value DENOMINATOR = Value.newBuilder().setStringValue("MILLION").build();

  private static final String PREFIX = "fault.http.";
  private static final String SUFFIX = ".abort.abort_percent";
  private static final String ANY = "*";

  /** What the buckets of some callers and procedures are to drop at this moment. */
  static Layer of(
      Collection<PairCounts> pairs, Function<Gate, ? extends List<RelayBucket>> buckets) {
    Map<String, Integer> millionths = new HashMap<>();
    for (PairCounts pair : pairs) {
      List<RelayBucket> chain = buckets.apply(pair.gate());
      for (Stage stage : Stage.IN_ORDER) {
        int drop = (int) Math.round(MILLION * (1 - StageDemand.passing(stage, chain)));
        if (drop > 0 && isNamed(stage, pair.gate())) {
          put(millionths, stage, pair, drop);
        }
      }
    }
    return new Layer(millionths);
  }

  private static void put(Map<String, Integer> millionths, Stage stage, PairCounts pair, int drop) {
    Gate gate = pair.gate();
    for (Spelling spelling : Spelling.ALL) {
      if (pair.isSpelled(spelling)) {
        String caller = spelling.caller(gate.caller());
        String procedure = spelling.procedure(gate.procedure());
        millionths.putIfAbsent(stage.key(gate.service(), caller, procedure), drop);
      }
    }
  }

  /** Whether there are names for the key: an overflow gate stands for many, by a pattern. */
  private static boolean isNamed(Stage stage, Gate gate) {
    return !gate.isOverflow()
        || !(stage.byCaller() && gate.caller().endsWith(ANY))
            && !(stage.byProcedure() && gate.procedure().endsWith(ANY));
  }

  int size() {
    return millionths.size();
  }

  /** As a layer of Envoy's runtime. */
  Struct toStruct() {
    Struct.Builder layer = Struct.newBuilder();
    millionths.forEach(
        (key, drop) ->
            layer.putFields(
                PREFIX + key + SUFFIX,
                Value.newBuilder()
                    .setStructValue(
                        Struct.newBuilder()
                            .putFields("numerator", Value.newBuilder().setNumberValue(drop).build())
                            .putFields("denominator", DENOMINATOR))
                    .build()));
    return layer.build();
  }
}
