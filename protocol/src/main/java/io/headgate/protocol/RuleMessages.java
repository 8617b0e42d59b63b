package io.headgate.protocol;

import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleOptions;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.Sampler;
import io.headgate.core.rule.Scope;
import io.headgate.core.rule.ServiceRules;
import io.headgate.core.rule.WhenCutOff;
import io.headgate.core.shed.Level;
import io.headgate.protocol.v1.Rules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Rules as they travel. */
public final class RuleMessages {

  private RuleMessages() {}

  /** All rules of a set. */
  public static Rules all(RuleSet rules) {
    return some(rules, new TreeMap<>(rules.services()).keySet());
  }

  /** The rules of some services; those that have none are named as absent. */
  public static Rules some(RuleSet rules, Collection<String> services) {
    Rules.Builder message =
        Rules.newBuilder().setConfigVersion(rules.version()).setDigest(rules.digest());
    for (String name : services) {
      ServiceRules service = rules.services().get(name);
      if (service == null) {
        message.addAbsentService(name);
      } else {
        message.addService(toMessage(service));
      }
    }
    return message.build();
  }

  /**
   * The rules of the services in a message.
   *
   * @throws IllegalArgumentException if a rule makes no sense; the message names the service and
   *     rule
   */
  public static List<ServiceRules> services(Rules message) {
    List<ServiceRules> services = new ArrayList<>();
    for (io.headgate.protocol.v1.ServiceRules service : message.getServiceList()) {
      List<Rule> rules = new ArrayList<>();
      for (io.headgate.protocol.v1.Rule rule : service.getRuleList()) {
        try {
          rules.add(fromMessage(rule));
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(
              "service '"
                  + service.getService()
                  + "', rule '"
                  + rule.getName()
                  + "': "
                  + e.getMessage(),
              e);
        }
      }
      services.add(new ServiceRules(service.getService(), rules));
    }
    return services;
  }

  private static io.headgate.protocol.v1.ServiceRules toMessage(ServiceRules service) {
    var message = io.headgate.protocol.v1.ServiceRules.newBuilder().setService(service.service());
    for (Rule rule : service.rules()) {
      message.addRule(toMessage(rule));
    }
    return message.build();
  }

  private static io.headgate.protocol.v1.Rule toMessage(Rule rule) {
    var message =
        io.headgate.protocol.v1.Rule.newBuilder()
            .setName(rule.name())
            .setPerCaller(rule.perCaller())
            .setPerProcedure(rule.perProcedure())
            .setLimitPerSecond(rule.limit().perSecond())
            .setScope(
                switch (rule.scope()) {
                  case ZONE -> io.headgate.protocol.v1.Scope.SCOPE_ZONE;
                  case REGION -> io.headgate.protocol.v1.Scope.SCOPE_REGION;
                  case GLOBAL -> io.headgate.protocol.v1.Scope.SCOPE_GLOBAL;
                })
            .setBehavior(
                switch (rule.behavior()) {
                  case DENY -> io.headgate.protocol.v1.Behavior.BEHAVIOR_DENY;
                  case ALLOW -> io.headgate.protocol.v1.Behavior.BEHAVIOR_ALLOW;
                });
    if (!rule.caller().isAny()) {
      message.setCaller(rule.caller().toString());
    }
    if (!rule.procedure().isAny()) {
      message.setProcedure(rule.procedure().toString());
    }
    rule.limitsAt()
        .forEach((place, limit) -> message.putLimitPerSecondAt(place, limit.perSecond()));
    addOptions(rule.options(), message);
    return message.build();
  }

  private static void addOptions(
      RuleOptions options, io.headgate.protocol.v1.Rule.Builder message) {
    if (options.criticality() != Level.DEFAULT_CLASS) {
      message.setCriticality(options.criticality());
    }
    message
        .setSampler(
            switch (options.sampler()) {
              case AUTO -> io.headgate.protocol.v1.Sampler.SAMPLER_AUTO;
              case INDEPENDENT -> io.headgate.protocol.v1.Sampler.SAMPLER_INDEPENDENT;
              case STRATIFIED -> io.headgate.protocol.v1.Sampler.SAMPLER_STRATIFIED;
            })
        .setWhenCutOff(
            switch (options.whenCutOff()) {
              case SHARE -> io.headgate.protocol.v1.WhenCutOff.WHEN_CUT_OFF_SHARE;
              case OPEN -> io.headgate.protocol.v1.WhenCutOff.WHEN_CUT_OFF_OPEN;
            })
        .setSurgeGuard(options.surgeGuard());
  }

  private static Rule fromMessage(io.headgate.protocol.v1.Rule message) {
    Map<String, Rate> limitsAt = new LinkedHashMap<>();
    message
        .getLimitPerSecondAtMap()
        .forEach((place, limit) -> limitsAt.put(place, new Rate(limit)));
    return new Rule(
        message.getName(),
        message.hasCaller() ? NamePattern.of(message.getCaller()) : NamePattern.any(),
        message.hasProcedure() ? NamePattern.of(message.getProcedure()) : NamePattern.any(),
        message.getPerCaller(),
        message.getPerProcedure(),
        new Rate(message.getLimitPerSecond()),
        limitsAt,
        switch (message.getScope()) {
          case SCOPE_ZONE -> Scope.ZONE;
          case SCOPE_REGION -> Scope.REGION;
          case SCOPE_GLOBAL -> Scope.GLOBAL;
          case SCOPE_UNSPECIFIED, UNRECOGNIZED ->
              throw new IllegalArgumentException(
                  "scope: " + message.getScopeValue() + " (expected: zone, region or global)");
        },
        switch (message.getBehavior()) {
          case BEHAVIOR_DENY -> Behavior.DENY;
          case BEHAVIOR_ALLOW -> Behavior.ALLOW;
          case BEHAVIOR_UNSPECIFIED, UNRECOGNIZED ->
              throw new IllegalArgumentException(
                  "behavior: " + message.getBehaviorValue() + " (expected: deny or allow)");
        },
        options(message));
  }

  private static RuleOptions options(io.headgate.protocol.v1.Rule message) {
    return new RuleOptions(
        message.hasCriticality() ? message.getCriticality() : Level.DEFAULT_CLASS,
        switch (message.getSampler()) {
          case SAMPLER_AUTO -> Sampler.AUTO;
          case SAMPLER_INDEPENDENT -> Sampler.INDEPENDENT;
          case SAMPLER_STRATIFIED -> Sampler.STRATIFIED;
          case UNRECOGNIZED ->
              throw new IllegalArgumentException(
                  "sampler: "
                      + message.getSamplerValue()
                      + " (expected: auto, independent or stratified)");
        },
        switch (message.getWhenCutOff()) {
          case WHEN_CUT_OFF_SHARE -> WhenCutOff.SHARE;
          case WHEN_CUT_OFF_OPEN -> WhenCutOff.OPEN;
          case UNRECOGNIZED ->
              throw new IllegalArgumentException(
                  "when cut off: " + message.getWhenCutOffValue() + " (expected: share or open)");
        },
        message.getSurgeGuard());
  }
}
