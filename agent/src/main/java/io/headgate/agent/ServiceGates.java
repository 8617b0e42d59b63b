package io.headgate.agent;

import io.headgate.core.rule.BucketKey;
import io.headgate.core.rule.Location;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.ServiceRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The gates to one service, and the buckets in which these count.
 *
 * <p>While there is room, a pair of caller and procedure has a gate of its own. After that, new
 * pairs share overflow gates. An overflow gate is an ordinary gate whose caller and procedure are
 * the closest patterns that match the pair, in place of the names. So it meets the same rules as
 * the pair would; for a rule per caller or procedure, all that share a pattern count as one; and
 * there are no more of them than pairs of patterns in the service's rules, whatever the traffic
 * sends. A name that a rule spells out stands for itself, and so keeps its own limit under a flood
 * of others. Buckets of single callers and procedures are bounded in the same way, and so is the
 * length of the names that are kept.
 *
 * <p>Finding a gate is lock-free; making one and a change of rules take a lock.
 */
final class ServiceGates {

  private static final int MAX_NAME_LENGTH = 256;

  private final String service;
  private final Location location;
  private final Duration retryAfter;
  private final LongSupplier draws;
  private final Semaphore room;
  private final Semaphore bucketRoom;
  private final LongAdder overflowLookups;

  private final GateMap gates = new GateMap();
  private final GateMap overflowGates = new GateMap();
  private volatile RulesInForce rules;

  private final Object lock = new Object();
  private Map<BucketKey, Bucket> buckets = new HashMap<>(); // guarded by lock
  private volatile @Nullable List<Bucket> bucketList = List.of(); // null: made anew when needed

  /**
   * Gates to {@code service}, which has no rules yet.
   *
   * @param room one permit for each gate that may still be made, shared with other services
   * @param bucketRoom the same for buckets of single callers and procedures
   * @param overflowLookups counts look-ups that an overflow gate answers
   */
  ServiceGates(
      String service,
      Location location,
      Duration retryAfter,
      LongSupplier draws,
      Semaphore room,
      Semaphore bucketRoom,
      LongAdder overflowLookups) {
    this.service = service;
    this.location = location;
    this.retryAfter = retryAfter;
    this.draws = draws;
    this.room = room;
    this.bucketRoom = bucketRoom;
    this.overflowLookups = overflowLookups;
    rules = new RulesInForce(new ServiceRules(service, List.of()), location, retryAfter);
  }

  Gate gate(String caller, String procedure) {
    Gate gate = gates.find(caller, procedure);
    if (gate == null && room.availablePermits() > 0 && isKeepable(caller, procedure)) {
      gate = makeGate(caller, procedure);
    }
    return gate != null ? gate : overflowGate(caller, procedure);
  }

  private static boolean isKeepable(String caller, String procedure) {
    return caller.length() <= MAX_NAME_LENGTH && procedure.length() <= MAX_NAME_LENGTH;
  }

  private @Nullable Gate makeGate(String caller, String procedure) {
    synchronized (lock) {
      Gate other = gates.find(caller, procedure);
      if (other != null) {
        return other;
      }
      return room.tryAcquire() ? addGate(gates, caller, procedure, false) : null;
    }
  }

  private Gate overflowGate(String caller, String procedure) {
    overflowLookups.increment();
    RulesInForce now = rules;
    Gate gate = overflowGates.find(now.callerClass(caller), now.procedureClass(procedure));
    if (gate != null) {
      return gate;
    }
    synchronized (lock) {
      String callerClass = rules.callerClass(caller);
      String procedureClass = rules.procedureClass(procedure);
      Gate other = overflowGates.find(callerClass, procedureClass);
      return other != null ? other : addGate(overflowGates, callerClass, procedureClass, true);
    }
  }

  private Gate addGate(GateMap to, String caller, String procedure, boolean overflow) {
    Gate gate = new Gate(service, caller, procedure, overflow, draws);
    gate.setChain(chain(gate, rules, buckets, buckets));
    to.add(gate);
    return gate;
  }

  /**
   * Puts other rules in force. Buckets that are still needed keep their counts and directives.
   *
   * @return whether they are others than before
   */
  boolean apply(ServiceRules changed) {
    synchronized (lock) {
      if (changed.equals(rules.rules())) {
        return false;
      }
      link(new RulesInForce(changed, location, retryAfter));
      return true;
    }
  }

  /** Forgets the gates that are not needed, and the buckets that only these have. */
  void retain(Predicate<Gate> needed) {
    synchronized (lock) {
      int forgotten = gates.retain(needed);
      if (forgotten > 0) {
        room.release(forgotten);
        link(rules);
      }
    }
  }

  /** Makes the chains of all gates anew. */
  private void link(RulesInForce now) {
    Map<BucketKey, Bucket> before = buckets;
    bucketRoom.release((int) before.keySet().stream().filter(rules::isOfSingleName).count());
    Map<BucketKey, Bucket> after = new HashMap<>();
    gates.forEach(gate -> gate.setChain(chain(gate, now, before, after)));
    overflowGates.forEach(gate -> gate.setChain(chain(gate, now, before, after)));
    buckets = after;
    bucketList = null;
    rules = now;
  }

  private Bucket[] chain(
      Gate gate, RulesInForce rules, Map<BucketKey, Bucket> before, Map<BucketKey, Bucket> after) {
    List<Bucket> chain = new ArrayList<>();
    for (RulesInForce.Entry entry : rules.entries()) {
      if (entry.rule().matches(gate.caller(), gate.procedure())) {
        BucketKey key = key(gate, rules, entry.rule(), after);
        Bucket bucket = after.get(key);
        if (bucket == null) {
          bucket = before.getOrDefault(key, new Bucket(key, entry.dropVerdict()));
          bucket.follow(entry.rule(), entry.dropVerdict());
          after.put(key, bucket);
          bucketList = null;
        }
        chain.add(bucket);
      }
    }
    return chain.toArray(Bucket[]::new);
  }

  /** The gate's own bucket, or while there is no room for one more that of its patterns. */
  private BucketKey key(Gate gate, RulesInForce rules, Rule rule, Map<BucketKey, Bucket> after) {
    BucketKey own = BucketKey.of(service, rule, gate.caller(), gate.procedure());
    if (after.containsKey(own)) {
      return own;
    }
    BucketKey shared = rules.sharedKey(own);
    return own.equals(shared) || bucketRoom.tryAcquire() ? own : shared;
  }

  /**
   * The buckets that are counted, in no order. An immutable list, the same one until it changes.
   */
  Collection<Bucket> buckets() {
    List<Bucket> list = bucketList;
    if (list == null) {
      synchronized (lock) {
        list = List.copyOf(buckets.values());
        bucketList = list;
      }
    }
    return list;
  }

  /** Whether any of the rules has a surge guard. */
  boolean isGuarded() {
    return rules.isGuarded();
  }

  String service() {
    return service;
  }

  int gateCount() {
    return gates.size();
  }

  int overflowGateCount() {
    return overflowGates.size();
  }
}
