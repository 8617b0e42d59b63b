package io.headgate.configurator.history;

/**
 * How much of a time is known, and how much of that was left out.
 *
 * @param days how many days lie between the first sample and the end
 * @param known the share of the steps since the first sample that have one, 0 to 1
 * @param masked the share of the known steps that were left out, 0 to 1
 */
public record Coverage(double days, double known, double masked) {}
