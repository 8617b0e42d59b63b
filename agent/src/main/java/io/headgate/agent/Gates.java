package io.headgate.agent;

import io.headgate.core.rule.Identifier;
import io.headgate.core.rule.Location;
import io.headgate.core.rule.ServiceRules;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All gates of an agent, by service. Their number is bounded over all services; see {@link
 * ServiceGates} for what becomes of the pairs beyond.
 */
final class Gates {

  /** Beyond this many there are no rules: names of services should not come from requests. */
  static final int MAX_SERVICES = 1_000;

  private final ConcurrentMap<String, ServiceGates> services = new ConcurrentHashMap<>();
  private final Semaphore room;
  private final Semaphore bucketRoom;
  private final LongAdder overflowLookups = new LongAdder();
  private final Location location;
  private final Duration retryAfter;
  private final LongSupplier draws;
  private final Gate beyondServices;
  private volatile Consumer<String> newService = service -> {};
  private volatile Consumer<ServiceRules> newRules = rules -> {};

  /**
   * No gates yet.
   *
   * @param maxGates how many pairs may have a gate of their own, and how many callers and
   *     procedures a bucket of their own
   */
  Gates(int maxGates, Location location, Duration retryAfter, LongSupplier draws) {
    room = new Semaphore(maxGates);
    bucketRoom = new Semaphore(maxGates);
    this.location = location;
    this.retryAfter = retryAfter;
    this.draws = draws;
    beyondServices = new Gate("*", "*", "*", true, draws);
  }

  /** Has {@code action} told of each service when the first gate to it is made, on any thread. */
  void onNewService(Consumer<String> action) {
    newService = action;
  }

  /** Has {@code action} told of rules that have come into force, where they come in. */
  void onNewRules(Consumer<ServiceRules> action) {
    newRules = action;
  }

  Gate gate(String service, String caller, String procedure) {
    ServiceGates gates = services.get(service);
    if (gates == null) {
      gates = add(service);
      if (gates == null) {
        overflowLookups.increment();
        return beyondServices;
      }
    }
    return gates.gate(caller, procedure);
  }

  private @Nullable ServiceGates add(String service) {
    if (services.size() >= MAX_SERVICES || !Identifier.isValid(service)) {
      return null;
    }
    ServiceGates made =
        new ServiceGates(service, location, retryAfter, draws, room, bucketRoom, overflowLookups);
    ServiceGates other = services.putIfAbsent(service, made);
    if (other != null) {
      return other;
    }
    newService.accept(service);
    return made;
  }

  /** Puts rules in force if there are gates to their service. */
  void apply(ServiceRules rules) {
    ServiceGates gates = services.get(rules.service());
    if (gates != null && gates.apply(rules)) {
      newRules.accept(rules);
    }
  }

  /** The services to which there are gates. */
  Set<String> serviceNames() {
    return services.keySet();
  }

  Collection<ServiceGates> services() {
    return services.values();
  }

  /** Whether any rule has a surge guard. */
  boolean isGuarded() {
    for (ServiceGates gates : services.values()) {
      if (gates.isGuarded()) {
        return true;
      }
    }
    return false;
  }

  int gateCount() {
    return services.values().stream().mapToInt(ServiceGates::gateCount).sum();
  }

  int overflowGateCount() {
    return services.values().stream().mapToInt(ServiceGates::overflowGateCount).sum();
  }

  int bucketCount() {
    return services.values().stream().mapToInt(gates -> gates.buckets().size()).sum();
  }

  long overflowLookups() {
    return overflowLookups.sum();
  }
}
