package io.headgate.server.demo.measure;

import io.headgate.core.rule.Location;

/**
 * Where calls come from.
 *
 * @param caller who calls
 * @param location where it runs
 */
public record Origin(String caller, Location location) {}
