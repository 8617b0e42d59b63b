package io.headgate.server.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;
import static org.assertj.core.data.Percentage.withPercentage;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headgate.fixtures.SteadyMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The demo as its user has it: a process, real calls, and what it prints. */
@Tag("process")
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class DemoProcessTest {

  private static final Pattern TIER = Pattern.compile("^  \\S+ +pid (\\d+) ", Pattern.MULTILINE);

  /** What was offered and admitted of a rule with a limit of 30 a second. */
  private static final Pattern CHARGE =
      Pattern.compile("^charge +global +30\\.0 +([\\d.]+) +([\\d.]+) ", Pattern.MULTILINE);

  @TempDir private Path directory;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void endWhatWasStarted() throws InterruptedException {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void printsOneJsonObjectThatShowsTheLimitKeptAndTheDropSharedEvenly() throws Exception {
    // A process that stands still for long is late with what it reports.
    SteadyMachine.check(Duration.ofMillis(200), attempt -> measuredRunKeepsTheLimit());
  }

  private void measuredRunKeepsTheLimit() throws Exception {
    Process demo = demo("--seconds", "25", "--json");
    await().atMost(Duration.ofSeconds(60)).until(() -> demo.descendants().count() == 6);
    List<ProcessHandle> tiers = demo.descendants().toList();

    assertThat(demo.waitFor()).isZero();

    JsonNode result = new ObjectMapper().readTree(out());
    assertThat(out().lines()).hasSize(1);
    assertThat(result.get("seconds").doubleValue()).isEqualTo(25);
    assertThat(result.get("failedCalls").longValue()).isZero();
    assertThat(result.get("reaction").get("secondsToUnder110Percent").doubleValue())
        .isBetween(0.0, 3.5);
    JsonNode main = rule(result, "charge-global");
    assertThat(main.get("limitPerSecond").doubleValue()).isEqualTo(2_000);
    assertThat(main.get("offeredPerSecond").doubleValue()).isCloseTo(3_000, withPercentage(2));
    assertThat(main.get("admittedPerSecond").doubleValue()).isCloseTo(2_000, withPercentage(2));
    assertThat(main.get("callers")).hasSize(8);
    for (JsonNode caller : main.get("callers")) {
      assertThat(caller.get("dropRatio").doubleValue())
          .as(caller.toString())
          .isCloseTo(0.333, offset(0.015));
    }
    JsonNode shadow = rule(result, "charge-candidate");
    assertThat(shadow.get("dropRatio").doubleValue()).isZero();
    assertThat(shadow.get("wouldDropRatio").doubleValue()).isCloseTo(0.5, offset(0.015));
    assertThat(tiers).noneMatch(ProcessHandle::isAlive);
  }

  @Test
  void envoysBeforeTheServiceKeepALimitTogetherInATableAndLeaveNoProcessBehindWhenItIsKilled()
      throws Exception {
    Path rules = Files.createDirectory(directory.resolve("rules"));
    Files.writeString(
        rules.resolve("payments.yaml"),
        """
        service: payments
        rules:
          - { name: charge, match: { procedure: payments.v1.Payments/Charge }, limit: 30/s }
        """);
    Process demo = demo("--envoy", "--rules", rules.toString());
    await()
        .atMost(Duration.ofSeconds(90))
        .untilAsserted(
            () ->
                assertThat(CHARGE.matcher(out()).results())
                    .anySatisfy(
                        row -> {
                          assertThat(Double.parseDouble(row.group(1))).isGreaterThan(45);
                          assertThat(Double.parseDouble(row.group(2))).isBetween(24.0, 36.0);
                        }));
    List<ProcessHandle> processes = tiers();
    assertThat(out())
        .contains("envoy-eu-west-1 ", "envoy-us-east-1 ", " 0 failed", "calls  ", "all up");
    assertThat(processes).hasSize(6).allMatch(ProcessHandle::isAlive);

    demo.destroyForcibly().waitFor();

    await()
        .atMost(Duration.ofSeconds(15))
        .until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void replaysATraceUntilItIsToldToEndAndEndsWithZero() throws Exception {
    StringBuilder rows = new StringBuilder("time,tokens\n");
    for (int i = 0; i < 1_000; i++) {
      rows.append("2023-11-16 18:17:")
          .append(10 + i / 25)
          .append('.')
          .append(i % 25)
          .append(",1\n");
    }
    Path trace = Files.writeString(directory.resolve("trace.csv"), rows);
    Process demo = demo("--trace", trace.toString(), "--speed", "20");
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(out()).contains("trace at speed 20.0", "charge-global "));
    List<ProcessHandle> tiers = tiers();

    demo.destroy();

    assertThat(demo.waitFor()).isZero();
    assertThat(tiers).hasSize(6).noneMatch(ProcessHandle::isAlive);
  }

  private List<ProcessHandle> tiers() throws IOException {
    return TIER.matcher(out())
        .results()
        .map(found -> Long.parseLong(found.group(1)))
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .toList();
  }

  private static JsonNode rule(JsonNode result, String name) {
    for (JsonNode rule : result.get("rules")) {
      if (rule.get("rule").textValue().equals(name)) {
        return rule;
      }
    }
    throw new AssertionError("no rule " + name + " in " + result);
  }

  private Process demo(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "io.headgate.server.Headgate",
                "demo"));
    command.addAll(List.of(arguments));
    Process demo =
        new ProcessBuilder(command)
            .redirectOutput(directory.resolve("out").toFile())
            .redirectError(directory.resolve("err").toFile())
            .start();
    started.add(demo);
    return demo;
  }

  private String out() throws IOException {
    return Files.readString(directory.resolve("out"), UTF_8);
  }
}
