package io.headgate.simulator.run;

import io.headgate.simulator.scenario.Crowd;
import io.headgate.simulator.scenario.Scenario;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Turns what a crowd did, and cost, into figures. */
final class CrowdFigures {

  /**
   * What a message costs on the wire beside itself: 9 bytes of HTTP/2 frame, 5 of gRPC prefix, 22
   * of TLS 1.3 record, 52 of TCP and IPv4 with time stamps, each message in a packet of its own.
   */
  private static final int WIRE_BYTES = 88;

  private static final List<String> OF_WATCHED =
      List.of(
          "demandToLimit",
          "offeredToLimit",
          "admittedToLimit",
          "dropRatio",
          "maxOneSecondToLimit",
          "secondsToUnder110Percent",
          "excessLimitSeconds");

  private final Scenario scenario;
  private final Crowd crowd;
  private final List<LeanCrowd> zones;
  private final List<CrowdCalls> calls;
  private final Recorder recorder;
  private final Map<String, Double> figures = new LinkedHashMap<>();

  /** Figures of a run that is over: adds up in the first zone what all have counted. */
  CrowdFigures(Scenario scenario, Crowd crowd, List<LeanCrowd> zones) {
    this.scenario = scenario;
    this.crowd = crowd;
    this.zones = zones;
    calls = zones.get(0).calls();
    recorder = zones.get(0).recorder();
    for (LeanCrowd other : zones.subList(1, zones.size())) {
      recorder.add(other.recorder());
      for (int each = 0; each < calls.size(); each++) {
        calls.get(each).add(other.calls().get(each));
      }
    }
  }

  /** What had been sent at one time. */
  record Sent(
      long messages,
      long reports,
      long bytes,
      long agentReports,
      long agentBytes,
      long heardBytes) {

    static final Sent NOTHING = new Sent(0, 0, 0, 0, 0, 0);

    static Sent by(List<LeanCrowd> zones) {
      Sent sent = NOTHING;
      for (LeanCrowd zone : zones) {
        sent =
            new Sent(
                sent.messages + zone.ofLean().messages(),
                sent.reports + zone.ofLean().reports(),
                sent.bytes + zone.ofLean().bytes(),
                sent.agentReports + zone.ofAgents().reports(),
                sent.agentBytes + zone.ofAgents().bytes(),
                sent.heardBytes + zone.heardBytes());
      }
      return sent;
    }
  }

  /** What it took. */
  record Work(
      WorkTimes controllers,
      WorkTimes aggregators,
      double seconds,
      double steadySeconds,
      double steadyCpuSeconds,
      long directives) {}

  Map<String, Double> compute(Sent before, Sent after, Work work) {
    figures.put("hosts", (double) crowd.hosts());
    figures.put("bucketsPerHost", (double) crowd.bucketsPerHost());
    figures.put("buckets", (double) calls.stream().mapToInt(CrowdCalls::procedures).sum());
    double steady =
        Math.min(scenario.seconds(), scenario.watch().untilSeconds())
            - scenario.watch().fromSeconds();
    truth();
    Map<String, Double> watched = new Figures(scenario, recorder).ofWatched();
    OF_WATCHED.forEach(name -> figures.put(name, watched.getOrDefault(name, Double.NaN)));
    eachBucket(steady);
    figures.put("bucketsDirected", (double) calls.stream().mapToInt(CrowdCalls::directed).sum());
    figures.put("lapses", (double) zones.stream().mapToLong(LeanCrowd::lapses).sum());
    figures.put("directives", (double) work.directives());
    sent(before, after, steady);
    work(work, steady);
    return figures;
  }

  private void truth() {
    for (int bin = 0; bin < recorder.bins(); bin++) {
      double limit = 0;
      double demand = 0;
      for (CrowdCalls each : calls) {
        for (int procedure = 0; each.isWatched() && procedure < each.procedures(); procedure++) {
          limit += each.limitPerSecond();
          demand += each.demandPerSecond(procedure, Recorder.start(bin));
        }
      }
      recorder.truth(bin, limit, demand);
    }
  }

  /** Of the buckets whose demand is above the limit the extremes; of the others what they lost. */
  private void eachBucket(double seconds) {
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    double leastDropped = 1;
    double mostDropped = 0;
    double offeredBelow = 0;
    double droppedBelow = 0;
    long above = 0;
    for (CrowdCalls each : calls) {
      for (int procedure = 0; procedure < each.procedures(); procedure++) {
        double limit = each.limitPerSecond();
        double offered = each.offered(procedure);
        double admitted = each.admitted(procedure);
        if (each.demandPerSecond(procedure, scenario.watch().fromSeconds()) > limit) {
          above++;
          least = Math.min(least, admitted / (limit * seconds));
          most = Math.max(most, admitted / (limit * seconds));
          leastDropped = Math.min(leastDropped, 1 - admitted / offered);
          mostDropped = Math.max(mostDropped, 1 - admitted / offered);
        } else {
          offeredBelow += offered;
          droppedBelow += offered - admitted;
        }
      }
    }
    figures.put("bucketsAboveLimit", (double) above);
    if (above > 0) {
      figures.put("leastAdmittedToLimit", least);
      figures.put("mostAdmittedToLimit", most);
      figures.put("leastDropRatio", leastDropped);
      figures.put("mostDropRatio", mostDropped);
    }
    figures.put("falseDropRatio", offeredBelow == 0 ? 0 : droppedBelow / offeredBelow);
    figures.put("offeredPerSecond", offeredAll() / scenario.seconds());
  }

  private double offeredAll() {
    return calls.stream().mapToDouble(CrowdCalls::offeredTotal).sum();
  }

  private void sent(Sent before, Sent after, double seconds) {
    int agents = zones.stream().mapToInt(LeanCrowd::agentHosts).sum();
    double leanSeconds = (crowd.hosts() - agents) * seconds;
    double agentSeconds = agents * seconds;
    if (leanSeconds > 0) {
      double bytes = (after.bytes() - before.bytes()) / leanSeconds;
      double messages = (after.messages() - before.messages()) / leanSeconds;
      figures.put("reportsPerHostSecond", (after.reports() - before.reports()) / leanSeconds);
      figures.put("reportBytesPerHostSecond", bytes);
      figures.put("wireBytesPerHostSecond", bytes + WIRE_BYTES * messages);
      figures.put(
          "directionBytesPerHostSecond", (after.heardBytes() - before.heardBytes()) / leanSeconds);
    }
    if (agents > 0) {
      figures.put(
          "agents.reportsPerHostSecond",
          (after.agentReports() - before.agentReports()) / agentSeconds);
      figures.put(
          "agents.reportBytesPerHostSecond",
          (after.agentBytes() - before.agentBytes()) / agentSeconds);
    }
  }

  private void work(Work work, double seconds) {
    int controllers = 0;
    int aggregators = 0;
    for (Scenario.Region region : scenario.regions()) {
      controllers += region.controllers();
      aggregators += region.zones().size() * region.aggregators();
    }
    ofTier("controller", work.controllers(), controllers * seconds);
    ofTier("aggregator", work.aggregators(), aggregators * seconds);
    figures.put("realTimeFactor", seconds / work.steadySeconds());
    figures.put("cpuSecondsPerSecond", work.steadyCpuSeconds() / seconds);
    figures.put("wallSeconds", work.seconds());
  }

  private void ofTier(String name, WorkTimes times, double nodeSeconds) {
    figures.put(name + "TickMillisMedian", times.tickMillis(0.5));
    figures.put(name + "TickMillisP99", times.tickMillis(0.99));
    figures.put(name + "TickMillisMax", times.tickMillis(1));
    figures.put(name + "Cores", times.workSeconds() / nodeSeconds);
  }
}
