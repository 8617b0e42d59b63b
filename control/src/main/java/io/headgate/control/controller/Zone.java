package io.headgate.control.controller;

/**
 * A zone of this region.
 *
 * @param number from 0, in the order in which the zones turned up
 * @param name its name
 * @param demand what its aggregators report
 */
record Zone(int number, String name, ZoneDemand<RateTable> demand) {}
