package io.headgate.configurator.backtest;

/**
 * What a policy would have done.
 *
 * @param periods how many periods it was tried on
 * @param falseDrops the share of calls outside of the calendar's windows that its limits would have
 *     dropped, 0 to 1
 * @param medianLimitToPeak the limit by the greatest rate of the period, at half of the periods
 * @param leastLimitToPeak the least of these
 * @param attackInflation by how much an attack in the history raises the limit, at half of the
 *     periods: 1 is not at all
 */
public record BackTestResult(
    int periods,
    double falseDrops,
    double medianLimitToPeak,
    double leastLimitToPeak,
    double attackInflation) {}
