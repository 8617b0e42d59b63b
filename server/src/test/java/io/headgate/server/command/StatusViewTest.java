package io.headgate.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.configurator.run.ConfiguratorStatus;
import io.headgate.configurator.run.RunReport;
import io.headgate.control.status.AggregatorStatus;
import io.headgate.control.status.BucketStatus;
import io.headgate.control.status.ControllerStatus;
import io.headgate.control.status.FileProblem;
import io.headgate.envoy.proxy.DataPlaneStatus;
import io.headgate.server.run.StatusReport;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatusViewTest {

  private static final BucketStatus CHARGE =
      new BucketStatus(
          "payments", "charge", "", "", "global", "deny", 5000, 7500, 2500, 0, 1 / 3.0);
  private static final BucketStatus SHADOW =
      new BucketStatus(
          "payments", "each-caller", "shop", "", "zone:eu-1", "allow", 12.5, 25, 0, 12.5, 0.5);

  @Test
  void aControllerShowsItsTiersAndItsBuckets() {
    ControllerStatus controller =
        new ControllerStatus(
            "ctl-1",
            "eu",
            false,
            7,
            "0123456789abcdef",
            2,
            List.of(),
            List.of(new ControllerStatus.AggregatorLink("agg-1", "eu-1", true, 1200, 0.25)),
            List.of(new ControllerStatus.PeerLink("192.0.2.7:7070", "", false, -1)),
            List.of(SHADOW, CHARGE));
    assertThat(StatusView.lines("http://a:1", report(controller, null), 20))
        .containsExactly(
            "http://a:1  headgate 1.2.3  ready",
            "",
            "controller ctl-1  region eu",
            "  config version 7  digest 01234567  2 rules  no bad files",
            "",
            "  AGGREGATOR  ZONE  STATE      CLIENTS  LAST REPORT",
            "  agg-1       eu-1  connected    1,200    0.3 s ago",
            "",
            "  PEER            REGION  STATE  LAST REPORT",
            "  192.0.2.7:7070  -       gone         never",
            "",
            "  RULE                       WHERE      LIMIT/S  OFFERED/S  ADMITTED/S  DROP %  WOULD %",
            "  payments/charge            global       5,000      7,500       5,000    33.3      0.0",
            "  payments/each-caller shop  zone:eu-1     12.5       25.0        25.0     0.0     50.0");
  }

  @Test
  void badFilesAreShownWithLineAndColumn() {
    ControllerStatus controller =
        new ControllerStatus(
            "ctl-1",
            "eu",
            true,
            7,
            "01",
            1,
            List.of(
                new FileProblem("a.yaml", 3, 9, "limit: 'x'"),
                new FileProblem("a.yaml", 4, 1, "unknown key 'y'")),
            List.of(),
            List.of(),
            List.of());
    assertThat(StatusView.lines("http://a:1", report(controller, null), 20))
        .contains(
            "controller ctl-1  region eu  learning",
            "  config version 7  digest 01  1 rule  1 bad file",
            "    a.yaml:3:9: limit: 'x'",
            "    a.yaml:4:1: unknown key 'y'",
            "  no aggregators",
            "  no demand");
  }

  @Test
  void anAggregatorShowsWhomItFollows() {
    AggregatorStatus aggregator =
        new AggregatorStatus(
            "agg-1",
            "eu",
            "eu-1",
            1,
            2_000,
            7,
            "01",
            "ctl-1",
            List.of(
                new AggregatorStatus.ControllerLink("192.0.2.1:7070", "ctl-1", true, false),
                new AggregatorStatus.ControllerLink("192.0.2.2:7070", "ctl-2", true, true)),
            List.of());
    assertThat(StatusView.lines("http://a:1", report(null, aggregator), 20))
        .contains(
            "aggregator agg-1  region eu  zone eu-1  1 client",
            "  overloaded: clients are asked to report no more often than each 2,000 ms",
            "  config version 7  digest 01  follows ctl-1",
            "  CONTROLLER      ID     STATE",
            "  192.0.2.1:7070  ctl-1  connected",
            "  192.0.2.2:7070  ctl-2  connected, learning");
  }

  @Test
  void theBusiestBucketsComeFirstAndTheRestIsCounted() {
    ControllerStatus controller =
        new ControllerStatus(
            "c", "eu", false, 7, "01", 2, List.of(), List.of(), List.of(), List.of(SHADOW, CHARGE));
    List<String> lines = StatusView.lines("http://a:1", report(controller, null), 1);
    assertThat(lines).anyMatch(line -> line.startsWith("  payments/charge "));
    assertThat(lines).noneMatch(line -> line.contains("each-caller"));
    assertThat(lines).endsWith("  and 1 more (--top 0 shows all)");
  }

  @Test
  void tablesFitAHundredColumnsWhateverTheNames() {
    String name = "x".repeat(128);
    BucketStatus bucket =
        new BucketStatus(
            name, name, name, name, "zone:" + name, "deny", 9.9e6, 9.9e6, 9.9e6, 9.9e6, 1);
    ControllerStatus controller =
        new ControllerStatus(
            "c",
            "eu",
            false,
            7,
            "01",
            2,
            List.of(),
            List.of(new ControllerStatus.AggregatorLink(name, name, false, 50_000, 12345.6)),
            List.of(new ControllerStatus.PeerLink(name, name, true, 12345.6)),
            List.of(bucket));
    AggregatorStatus aggregator =
        new AggregatorStatus(
            "a",
            "eu",
            "z",
            1,
            60_000,
            7,
            "01",
            "c",
            List.of(new AggregatorStatus.ControllerLink(name, name, true, true)),
            List.of(bucket));
    assertThat(StatusView.lines("http://a:1", report(controller, aggregator), 0))
        .allMatch(line -> line.length() <= 100);
  }

  @Test
  void proxiesAreShownWithWhatTheyDropThoseWithMostFirst() {
    DataPlaneStatus proxies =
        new DataPlaneStatus(
            1,
            1_234,
            2,
            List.of(
                new DataPlaneStatus.ProxyStatus("p-1", "shop", false, 3, 0, 0, ""),
                new DataPlaneStatus.ProxyStatus("p-2", "shop", true, 5_000, 7, 1_000, "a:1")));
    StatusReport report = new StatusReport("1.2.3", true, "", null, null, proxies, null);

    assertThat(StatusView.lines("http://a:1", report, 20))
        .contains("envoy  1 proxy connected  1,234 pushes, 2 refused")
        .containsSubsequence(
            "  p-2    shop     connected  5,000         7     1,000",
            "  p-1    shop     gone           3         0         0");
    assertThat(StatusView.lines("http://a:1", report, 1))
        .contains("  and 1 more (--top 0 shows all)");
  }

  @Test
  void proxiesWithLongNamesStayWithinTheWidth() {
    String name = "n".repeat(200);
    DataPlaneStatus proxies =
        new DataPlaneStatus(
            1,
            1,
            1,
            List.of(
                new DataPlaneStatus.ProxyStatus(
                    name, name, true, 10_000, 10_000_000, 10_000, name)));

    assertThat(
            StatusView.lines(
                "http://a:1", new StatusReport("1", true, "", null, null, proxies, null), 0))
        .allMatch(line -> line.length() <= 100);
  }

  @Test
  void aConfiguratorShowsItsLastRunAndWhatIsWrong() {
    RunReport last =
        new RunReport(
            "2026-11-30T02:30:00Z", "schedule", "failed", 61.25, 3000, 12, 1, 4, 2, "down");
    ConfiguratorStatus configurator =
        new ConfiguratorStatus(
            "cfg-1", "", 0, "cfg-2", last, "2026-12-01T02:30:00Z", 3, "no answer", 1, 2);
    assertThat(
            StatusView.lines(
                "http://a:1",
                new StatusReport("1.2.3", true, "", null, null, null, configurator),
                20))
        .containsExactly(
            "http://a:1  headgate 1.2.3  ready",
            "",
            "configurator cfg-1  idle  all limits next at 2026-12-01T02:30:00Z",
            "  last run 2026-11-30T02:30:00Z because of schedule, 61.3 s: failed, 12 of 3,000 limits"
                + " changed, 1 kept for want of a past",
            "  demand has gone away from 1 limit",
            "  the lease is with cfg-2",
            "  failed 3 times in a row: no answer",
            "  the changed configuration has 2 mistakes, and is not in force");
  }

  private static StatusReport report(ControllerStatus controller, AggregatorStatus aggregator) {
    return new StatusReport("1.2.3", true, "", controller, aggregator, null, null);
  }
}
