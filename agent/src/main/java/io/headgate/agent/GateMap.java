package io.headgate.agent;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Gates by procedure, then caller: nested, because that needs no key object for a look-up. Look-ups
 * are lock-free; the owner adds under a lock of its own.
 */
final class GateMap {

  private static final int CALLERS_EXPECTED = 4;

  private final ConcurrentMap<String, ConcurrentMap<String, Gate>> callersByProcedure =
      new ConcurrentHashMap<>();
  private final AtomicInteger size = new AtomicInteger();

  @Nullable Gate find(String caller, String procedure) {
    ConcurrentMap<String, Gate> callers = callersByProcedure.get(procedure);
    return callers == null ? null : callers.get(caller);
  }

  void add(Gate gate) {
    callersByProcedure
        .computeIfAbsent(gate.procedure(), p -> new ConcurrentHashMap<>(CALLERS_EXPECTED))
        .put(gate.caller(), gate);
    size.incrementAndGet();
  }

  void forEach(Consumer<Gate> action) {
    callersByProcedure.values().forEach(callers -> callers.values().forEach(action));
  }

  /**
   * Forgets the gates that are not needed.
   *
   * @return how many these were
   */
  int retain(Predicate<Gate> needed) {
    int before = size.get();
    callersByProcedure
        .values()
        .removeIf(
            callers -> {
              callers
                  .values()
                  .removeIf(
                      gate -> {
                        boolean forgets = !needed.test(gate);
                        if (forgets) {
                          size.decrementAndGet();
                        }
                        return forgets;
                      });
              return callers.isEmpty();
            });
    return before - size.get();
  }

  int size() {
    return size.get();
  }
}
