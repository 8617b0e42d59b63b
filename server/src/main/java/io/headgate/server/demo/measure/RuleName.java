package io.headgate.server.demo.measure;

/**
 * Names a rule.
 *
 * @param service the rule's service
 * @param rule its name, unique in the service
 */
public record RuleName(String service, String rule) {}
