package io.headgate.simulator.run;

import io.headgate.core.shed.Level;
import io.headgate.simulator.scenario.Scenario;
import io.headgate.simulator.world.Network;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Turns what was recorded into the figures that expectations are about. */
final class Figures {

  /** What is under a bound must be so for a second, which noise is not. */
  private static final int SUSTAINED_BINS = (int) (1 / Recorder.BIN_SECONDS);

  /** A host with fewer requests says little about fairness. */
  private static final long FAIRNESS_MIN_OFFERED = 200;

  private final Scenario scenario;
  private final Recorder recorder;
  private final Map<String, Double> figures = new LinkedHashMap<>();

  Figures(Scenario scenario, Recorder recorder) {
    this.scenario = scenario;
    this.recorder = recorder;
  }

  /** What became of the watched traffic, whoever made it. */
  Map<String, Double> ofWatched() {
    int from = Recorder.bin(scenario.watch().fromSeconds());
    int to = Math.min(recorder.bins(), Recorder.bin(scenario.watch().untilSeconds()));
    steady(from, to, recorder.limitPerSecond(from));
    reaction();
    return figures;
  }

  Map<String, Double> compute(
      Fleet fleet, Limiter limiter, DirectiveCount directives, Network network) {
    int from = Recorder.bin(scenario.watch().fromSeconds());
    int to = Math.min(recorder.bins(), Recorder.bin(scenario.watch().untilSeconds()));
    ofWatched();
    fairness(fleet.tallies());
    byTraffic(fleet.talliesByTraffic(), (to - from) * Recorder.BIN_SECONDS);
    if (limiter instanceof ControlLoop loop) {
      figures.put("wouldDropRatio", loop.wouldDropRatio());
      figures.put("directives", (double) directives.rows());
      figures.put("slowDownSecondsMost", loop.mostSlowDownSeconds());
      figures.put("slowDownSecondsLast", loop.lastSlowDownSeconds());
    }
    cost(limiter, network, fleet.hosts().size() * scenario.seconds());
    return figures;
  }

  /** What became of each kind of traffic by itself, whether the watched rule is about it or not. */
  private void byTraffic(Map<String, HostTally> tallies, double seconds) {
    tallies.forEach(
        (name, tally) -> {
          figures.put(name + ".dropRatio", 1 - tally.admittedShare());
          figures.put(name + ".admittedPerSecond", tally.admitted() / seconds);
        });
  }

  private void cost(Limiter limiter, Network network, double hostSeconds) {
    if (limiter instanceof ControlLoop loop) {
      figures.put("reportsPerHostSecond", loop.reports() / hostSeconds);
      figures.put("reportBytesPerHostSecond", loop.reportBytes() / hostSeconds);
    }
    figures.put("messagesPerHostSecond", network.sentMessages() / hostSeconds);
    figures.put("addedSecondsMedian", limiter.addedSeconds(0.5));
    figures.put("addedSecondsP99", limiter.addedSeconds(0.99));
  }

  private void steady(int from, int to, double limit) {
    double first = recorder.firstAttemptsPerSecond(from, to);
    double offered = recorder.offeredPerSecond(from, to);
    double admitted = recorder.admittedPerSecond(from, to);
    figures.put("limitPerSecond", limit);
    figures.put("demandToLimit", first / limit);
    figures.put("offeredToLimit", offered / limit);
    figures.put("admittedToLimit", admitted / limit);
    figures.put("dropRatio", 1 - admitted / Math.max(offered, Double.MIN_NORMAL));
    figures.put("falseDropRatio", falseDropRatio());
    figures.put("firstAttemptSuccess", recorder.firstAttemptSuccess());
    figures.put("uniqueSuccess", recorder.uniqueSuccess());
    figures.put("retriesPassedPerRequest", recorder.retriesPassedPerRequest());
    for (int criticality = 0; criticality < Level.CLASSES; criticality++) {
      double success = recorder.successOfClass(criticality);
      if (!Double.isNaN(success)) {
        figures.put("successOfClass" + criticality, success);
      }
    }
    figures.put("maxOneSecondToLimit", maxOver(from, to, 1 / Recorder.BIN_SECONDS, limit));
    figures.put("minOneSecondToLimit", minOver(from, to, 1 / Recorder.BIN_SECONDS, limit));
    figures.put("maxTenSecondsToLimit", maxOver(from, to, 10 / Recorder.BIN_SECONDS, limit));
  }

  /** Drops while the true demand was at or under the limit, of what was offered then. */
  private double falseDropRatio() {
    long offered = 0;
    long dropped = 0;
    for (int bin = 0; bin < recorder.bins(); bin++) {
      if (recorder.isWithinLimit(bin)) {
        offered += recorder.offered(bin, bin + 1);
        dropped += recorder.offered(bin, bin + 1) - recorder.admitted(bin, bin + 1);
      }
    }
    return offered == 0 ? 0 : (double) dropped / offered;
  }

  private double maxOver(int from, int to, double bins, double limit) {
    int width = (int) Math.round(bins);
    double max = 0;
    for (int bin = from; bin + width <= to; bin++) {
      max = Math.max(max, recorder.admittedPerSecond(bin, bin + width) / limit);
    }
    return max;
  }

  private double minOver(int from, int to, double bins, double limit) {
    int width = (int) Math.round(bins);
    double min = Double.POSITIVE_INFINITY;
    for (int bin = from; bin + width <= to; bin++) {
      min = Math.min(min, recorder.admittedPerSecond(bin, bin + width) / limit);
    }
    return min;
  }

  private void reaction() {
    double step = scenario.watch().stepSeconds();
    int first = Recorder.bin(step);
    int to = Math.min(recorder.bins(), Recorder.bin(scenario.watch().untilSeconds()));
    int under = first;
    while (under + SUSTAINED_BINS < to
        && recorder.admittedPerSecond(under, under + SUSTAINED_BINS)
            > 1.1 * recorder.limitPerSecond(under)) {
      under++;
    }
    int lastDrop = first;
    for (int bin = first; bin < to; bin++) {
      if (recorder.offered(bin, bin + 1) > recorder.admitted(bin, bin + 1)) {
        lastDrop = bin + 1;
      }
    }
    double excess = 0;
    for (int bin = first; bin < under; bin++) {
      double limit = recorder.limitPerSecond(bin);
      excess +=
          Math.max(0, recorder.admittedPerSecond(bin, bin + 1) - limit)
              / limit
              * Recorder.BIN_SECONDS;
    }
    figures.put("secondsToUnder110Percent", Recorder.start(under) - step);
    figures.put("excessLimitSeconds", excess);
    figures.put("secondsToNoDrop", Recorder.start(lastDrop) - step);
  }

  /**
   * Jain's index of the hosts' admitted shares: 1 when all are treated alike, 1/n when one gets
   * all.
   */
  private void fairness(List<HostTally> hosts) {
    double sum = 0;
    double squares = 0;
    double least = 1;
    double most = 0;
    int counted = 0;
    for (HostTally host : hosts) {
      if (host.offered() >= FAIRNESS_MIN_OFFERED) {
        double share = host.admittedShare();
        sum += share;
        squares += share * share;
        least = Math.min(least, share);
        most = Math.max(most, share);
        counted++;
      }
    }
    figures.put("jainIndex", squares == 0 ? 1 : sum * sum / (counted * squares));
    figures.put("admittedShareSpread", counted == 0 ? 0 : most - least);
  }
}
