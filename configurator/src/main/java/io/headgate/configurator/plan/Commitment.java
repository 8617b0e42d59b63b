package io.headgate.configurator.plan;

/**
 * What the callers of a service may ask of it together.
 *
 * @param service the service
 * @param sumPerSecond the sum of the callers' limits after the run
 * @param capacityPerSecond what it can bear
 * @param overcommit how many times the capacity that is
 * @param exceeded whether that is too much: then no limit of the service rises
 */
public record Commitment(
    String service,
    double sumPerSecond,
    double capacityPerSecond,
    double overcommit,
    boolean exceeded) {}
