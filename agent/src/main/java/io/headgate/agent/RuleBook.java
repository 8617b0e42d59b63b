package io.headgate.agent;

import io.headgate.core.rule.ServiceRules;
import io.headgate.core.time.EventLoop;
import io.headgate.protocol.RuleMessages;
import io.headgate.protocol.v1.Rules;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which rules are in force. Rules of a version below are put aside: they come into force only once
 * nobody has confirmed the later version for as long as directives live, so that a control plane
 * that lags behind does not undo a change, and one that was rolled back is followed in the end.
 * Confined to the event loop, but for what says otherwise.
 */
final class RuleBook {

  private final EventLoop loop;
  private final Gates gates;
  private final long patienceNanos;
  private final Runnable olderAdopted;

  private volatile long version; // written on the loop, read by anyone
  private String digest = "";
  private long confirmedNanos;

  private final Map<String, ServiceRules> aside = new LinkedHashMap<>();
  private long asideVersion;
  private String asideDigest = "";
  private EventLoop.@Nullable Timer timer;

  /**
   * No rules yet.
   *
   * @param patienceNanos how long later rules must go unconfirmed before older ones replace them
   * @param olderAdopted told when older rules have come into force, which were put aside before
   */
  RuleBook(EventLoop loop, Gates gates, long patienceNanos, Runnable olderAdopted) {
    this.loop = loop;
    this.gates = gates;
    this.patienceNanos = patienceNanos;
    this.olderAdopted = olderAdopted;
  }

  /** The version of the rules in force; 0 before there are any. Any thread. */
  long version() {
    return version;
  }

  /**
   * Takes the rules of some services over, or puts them aside.
   *
   * @throws IllegalArgumentException if a rule makes no sense; nothing has changed then
   */
  void receive(Rules message) {
    Map<String, ServiceRules> services = services(message);
    boolean older = Long.compareUnsigned(message.getConfigVersion(), version) < 0;
    if (older && !message.getDigest().equals(digest)) {
      putAside(message, services);
      return;
    }
    version = message.getConfigVersion();
    digest = message.getDigest();
    confirmedNanos = loop.nanoTime();
    aside.clear();
    services.values().forEach(gates::apply);
  }

  /** Somebody acts by the rules of this version. */
  void confirm(long version) {
    if (Long.compareUnsigned(version, this.version) >= 0) {
      confirmedNanos = loop.nanoTime();
    }
  }

  private static Map<String, ServiceRules> services(Rules message) {
    Map<String, ServiceRules> services = new LinkedHashMap<>();
    for (ServiceRules service : RuleMessages.services(message)) {
      services.put(service.service(), service);
    }
    for (String absent : message.getAbsentServiceList()) {
      services.put(absent, new ServiceRules(absent, List.of()));
    }
    return services;
  }

  private void putAside(Rules message, Map<String, ServiceRules> services) {
    if (message.getConfigVersion() != asideVersion || !message.getDigest().equals(asideDigest)) {
      aside.clear();
    }
    asideVersion = message.getConfigVersion();
    asideDigest = message.getDigest();
    aside.putAll(services);
    if (timer == null) {
      reviewLater();
    }
  }

  private void reviewLater() {
    timer = loop.schedule(confirmedNanos + patienceNanos - loop.nanoTime(), this::review);
  }

  private void review() {
    timer = null;
    if (aside.isEmpty()) {
      return;
    }
    if (loop.nanoTime() - confirmedNanos < patienceNanos) {
      reviewLater();
    } else {
      version = asideVersion;
      digest = asideDigest;
      confirmedNanos = loop.nanoTime();
      aside.values().forEach(gates::apply);
      aside.clear();
      olderAdopted.run();
    }
  }
}
