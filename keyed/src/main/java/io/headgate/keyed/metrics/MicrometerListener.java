package io.headgate.keyed.metrics;

import io.headgate.keyed.Hit;
import io.headgate.keyed.KeyedDecision;
import io.headgate.keyed.KeyedListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Counts decisions as {@code headgate.keyed.decisions} with the labels {@code limit} (the one that
 * decided), {@code outcome} ({@code allowed}, {@code denied} or {@code shadow-denied}) and {@code
 * degraded}. Keys are no labels, and of the names of limits the first 100 are; later ones count as
 * {@code other}.
 */
public final class MicrometerListener implements KeyedListener {

  /** How many names of limits become values of a label. */
  public static final int MAX_NAMES = 100;

  private static final String OTHER = "other";

  private record Label(String limit, String outcome, boolean degraded) {}

  private final MeterRegistry registry;
  private final ConcurrentMap<Label, Counter> counters = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, String> names = new ConcurrentHashMap<>();

  /** Counts in the registry given. */
  public MicrometerListener(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void decided(List<Hit> hits, KeyedDecision decision) {
    Label label =
        new Label(nameOf(decision.decidedBy().name()), outcome(decision), decision.degraded());
    counters.computeIfAbsent(label, this::counter).increment();
  }

  private String nameOf(String name) {
    String known = names.get(name);
    if (known != null) {
      return known;
    }
    synchronized (names) {
      if (names.size() >= MAX_NAMES) {
        return names.getOrDefault(name, OTHER);
      }
      names.put(name, name);
      return name;
    }
  }

  private static String outcome(KeyedDecision decision) {
    if (!decision.allowed()) {
      return "denied";
    }
    return decision.shadowDenied() ? "shadow-denied" : "allowed";
  }

  private Counter counter(Label label) {
    return Counter.builder("headgate.keyed.decisions")
        .description("Decisions on keyed limits")
        .tag("limit", label.limit())
        .tag("outcome", label.outcome())
        .tag("degraded", Boolean.toString(label.degraded()))
        .register(registry);
  }
}
