package io.headgate.control.aggregator;

import java.time.Duration;
import java.util.List;

/**
 * What an aggregator is told at its start. {@link #builder()} has the defaults.
 *
 * @param aggregatorId unique in its region, the same after a restart; not empty
 * @param epoch greater for each start of the same id, compared as an unsigned number
 * @param region the region in which it is; not empty
 * @param zone the zone whose agents it serves; not empty
 * @param controllers where the controllers of its region listen, all replicas, as host and port
 * @param reportInterval how often agents report, and it reports to controllers; above 0
 * @param urgentReports whether it also reports at once when demand moves
 * @param latchIntervals for how many report intervals a client's rates hold; at least 1
 * @param directiveTtl how long rules of an older version are ignored after the newer source fell
 *     silent; above 0
 * @param requireIdentity whether a client that has a certificate may only report as the service
 *     that its SPIFFE id ends in
 * @param maxClients how many clients, and how many streams of clients, it takes; above 0
 * @param maxBucketsPerReport how many rows, and how many definitions, a report may have; above 0
 * @param maxBucketsPerClient how many buckets one stream may define; above 0
 * @param maxBuckets how many buckets it keeps for all clients together; above 0
 * @param maxClientRatePerSecond the greatest rate that one client may report for one bucket; above
 *     0, at most 10<sup>12</sup>
 * @param maxBadReports after how many refused reports in a row a stream is closed; above 0
 */
public record AggregatorSettings(
    String aggregatorId,
    long epoch,
    String region,
    String zone,
    List<String> controllers,
    Duration reportInterval,
    boolean urgentReports,
    double latchIntervals,
    Duration directiveTtl,
    boolean requireIdentity,
    int maxClients,
    int maxBucketsPerReport,
    int maxBucketsPerClient,
    int maxBuckets,
    double maxClientRatePerSecond,
    int maxBadReports) {

  private static final double MAX_RATE_PER_SECOND = 1e12;

  public AggregatorSettings {
    controllers = List.copyOf(controllers);
    requireName("aggregatorId", aggregatorId);
    requireName("region", region);
    requireName("zone", zone);
    requirePositive("reportInterval", reportInterval);
    requirePositive("directiveTtl", directiveTtl);
    if (!(latchIntervals >= 1 && latchIntervals <= 1000)) {
      throw new IllegalArgumentException(
          "latchIntervals: " + latchIntervals + " (expected: 1 to 1000)");
    }
    requirePositive("maxClients", maxClients);
    requirePositive("maxBucketsPerReport", maxBucketsPerReport);
    requirePositive("maxBucketsPerClient", maxBucketsPerClient);
    requirePositive("maxBuckets", maxBuckets);
    requirePositive("maxBadReports", maxBadReports);
    if (!(maxClientRatePerSecond > 0 && maxClientRatePerSecond <= MAX_RATE_PER_SECOND)) {
      throw new IllegalArgumentException(
          "maxClientRatePerSecond: " + maxClientRatePerSecond + " (expected: above 0, to 1e12)");
    }
  }

  /** A builder with the defaults; the id, the region and the zone have none. */
  public static Builder builder() {
    return new Builder();
  }

  long intervalNanos() {
    return reportInterval.toNanos();
  }

  /** How long a client's rates hold after its last report. */
  long latchNanos() {
    return (long) (latchIntervals * reportInterval.toNanos());
  }

  private static void requireName(String what, String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException(what + ": '' (expected: a name)");
    }
  }

  private static void requirePositive(String what, Duration duration) {
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(what + ": " + duration + " (expected: > 0)");
    }
  }

  private static void requirePositive(String what, int number) {
    if (number <= 0) {
      throw new IllegalArgumentException(what + ": " + number + " (expected: > 0)");
    }
  }

  /** Collects settings; {@link #build()} checks them. */
  public static final class Builder {

    private String aggregatorId = "";
    private long epoch;
    private String region = "";
    private String zone = "";
    private List<String> controllers = List.of();
    private Duration reportInterval = Duration.ofSeconds(1);
    private boolean urgentReports = true;
    private double latchIntervals = 2.5;
    private Duration directiveTtl = Duration.ofSeconds(5);
    private boolean requireIdentity = true;
    private int maxClients = 50_000;
    private int maxBucketsPerReport = 20_000;
    private int maxBucketsPerClient = 50_000;
    private int maxBuckets = 200_000;
    private double maxClientRatePerSecond = 1e9;
    private int maxBadReports = 10;

    private Builder() {}

    /** Unique in its region, the same after a restart. */
    public Builder aggregatorId(String aggregatorId) {
      this.aggregatorId = aggregatorId;
      return this;
    }

    /** Greater for each start of the same id, compared as an unsigned number; 0 by default. */
    public Builder epoch(long epoch) {
      this.epoch = epoch;
      return this;
    }

    /** The region in which it is. */
    public Builder region(String region) {
      this.region = region;
      return this;
    }

    /** The zone whose agents it serves. */
    public Builder zone(String zone) {
      this.zone = zone;
      return this;
    }

    /** Where the controllers of its region listen, all replicas, as host and port. */
    public Builder controllers(List<String> controllers) {
      this.controllers = controllers;
      return this;
    }

    /** How often agents report, and it reports to controllers; 1 s by default. */
    public Builder reportInterval(Duration reportInterval) {
      this.reportInterval = reportInterval;
      return this;
    }

    /**
     * Whether it also reports at once when the sum of its clients' demand moves by more than noise
     * explains; it does by default. Urgent reports of clients are passed on at once in any case.
     */
    public Builder urgentReports(boolean urgentReports) {
      this.urgentReports = urgentReports;
      return this;
    }

    /** For how many report intervals a client's rates hold; 2.5 by default. */
    public Builder latchIntervals(double latchIntervals) {
      this.latchIntervals = latchIntervals;
      return this;
    }

    /** How long older rules are ignored after the newer source fell silent; 5 s by default. */
    public Builder directiveTtl(Duration directiveTtl) {
      this.directiveTtl = directiveTtl;
      return this;
    }

    /** Whether a client with a certificate may report only for itself; it is so by default. */
    public Builder requireIdentity(boolean requireIdentity) {
      this.requireIdentity = requireIdentity;
      return this;
    }

    /** How many clients, and how many streams of clients, it takes; 50,000 by default. */
    public Builder maxClients(int maxClients) {
      this.maxClients = maxClients;
      return this;
    }

    /** How many rows, and how many definitions, a report may have; 20,000 by default. */
    public Builder maxBucketsPerReport(int maxBucketsPerReport) {
      this.maxBucketsPerReport = maxBucketsPerReport;
      return this;
    }

    /** How many buckets one stream may define; 50,000 by default. */
    public Builder maxBucketsPerClient(int maxBucketsPerClient) {
      this.maxBucketsPerClient = maxBucketsPerClient;
      return this;
    }

    /** How many buckets it keeps for all clients together; 200,000 by default. */
    public Builder maxBuckets(int maxBuckets) {
      this.maxBuckets = maxBuckets;
      return this;
    }

    /** The greatest rate of one client and bucket; 10<sup>9</sup> a second by default. */
    public Builder maxClientRatePerSecond(double maxClientRatePerSecond) {
      this.maxClientRatePerSecond = maxClientRatePerSecond;
      return this;
    }

    /** After how many refused reports in a row a stream is closed; 10 by default. */
    public Builder maxBadReports(int maxBadReports) {
      this.maxBadReports = maxBadReports;
      return this;
    }

    /**
     * The settings.
     *
     * @throws IllegalArgumentException if one is out of its range; the message names it
     */
    public AggregatorSettings build() {
      return new AggregatorSettings(
          aggregatorId,
          epoch,
          region,
          zone,
          controllers,
          reportInterval,
          urgentReports,
          latchIntervals,
          directiveTtl,
          requireIdentity,
          maxClients,
          maxBucketsPerReport,
          maxBucketsPerClient,
          maxBuckets,
          maxClientRatePerSecond,
          maxBadReports);
    }
  }
}
