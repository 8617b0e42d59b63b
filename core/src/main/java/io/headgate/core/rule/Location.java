package io.headgate.core.rule;

/**
 * Where a process runs.
 *
 * @param region the region's name
 * @param zone the zone's name, unique over all regions
 */
public record Location(String region, String zone) {}
