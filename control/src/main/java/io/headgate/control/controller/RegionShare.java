package io.headgate.control.controller;

import java.util.Arrays;

/**
 * How the limit of one bucket is shared with regions that are cut off: by what each side last knew
 * of the other.
 *
 * <p>With each report of another region the demand of both is noted, the own as it was then. The
 * other region notes the same two numbers, so when it is cut off each side takes its part and the
 * parts add up to the limit, as the 1/N of a partition in Raghavan et al., "Cloud Control with
 * Distributed Rate Limiting" (SIGCOMM 2007), but by demand. A small part of the limit is dealt out
 * equally: a region that had no demand when it was cut off must not drop all of what comes later.
 */
final class RegionShare {

  private double[] own = {};
  private double[] theirs = {};

  /**
   * Notes that a region has reported.
   *
   * @param region its number
   * @param own the demand of this region now
   * @param theirs its demand
   */
  void note(int region, double own, double theirs) {
    if (region >= this.own.length) {
      int known = this.own.length;
      this.own = Arrays.copyOf(this.own, region + 1);
      this.theirs = Arrays.copyOf(this.theirs, region + 1);
      Arrays.fill(this.own, known, region + 1, Double.NaN);
    }
    this.own[region] = own;
    this.theirs[region] = theirs;
  }

  /**
   * The part of the limit that this region and those it hears may take.
   *
   * @param regions which are there
   * @param heard the demand of the other regions that are not cut off
   * @param equalShare of the limit, what is dealt out equally; 0 to 1
   */
  double of(CutOff regions, double heard, double equalShare) {
    double others = 0;
    for (int region : regions.numbers()) {
      others += ratio(region, heard, regions.together());
    }
    double byDemand = 1 / (1 + others);
    double equally = (double) regions.together() / regions.all();
    return (1 - equalShare) * byDemand + equalShare * equally;
  }

  /** How many times as much as here is offered in a region. */
  private double ratio(int region, double heard, int together) {
    boolean known = region < own.length && !Double.isNaN(own[region]);
    double here = known ? own[region] + heard : 0;
    double there = known ? theirs[region] : 0;
    return here == 0 && there == 0 ? 1.0 / together : there / here;
  }
}
