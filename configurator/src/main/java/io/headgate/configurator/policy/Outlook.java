package io.headgate.configurator.policy;

/**
 * The moment for which a limit is wanted.
 *
 * @param nowSecond when it will be set, in seconds since the epoch; where the history ends
 * @param runSeconds how long it has to hold: the time until the next run
 * @param currentPerSecond the limit now
 */
public record Outlook(long nowSecond, long runSeconds, double currentPerSecond) {}
