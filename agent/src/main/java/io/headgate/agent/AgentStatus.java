package io.headgate.agent;

/**
 * An agent now.
 *
 * @param aggregator the address of the aggregator that it hears from; empty if there is none
 * @param configVersion the version of the rules in force; 0 before there are any
 * @param gates pairs of caller and procedure that have a gate of their own, over all services
 * @param overflowGates gates that stand for the pairs beyond the bound
 * @param overflowLookups how often a gate was asked for that had to be an overflow gate
 * @param buckets buckets that are counted
 * @param refusedMessages messages of aggregators that made no sense and were left out
 */
public record AgentStatus(
    String aggregator,
    long configVersion,
    int gates,
    int overflowGates,
    long overflowLookups,
    int buckets,
    long refusedMessages) {}
