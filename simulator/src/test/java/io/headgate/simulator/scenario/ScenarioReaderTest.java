package io.headgate.simulator.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.status.FileProblem;
import org.junit.jupiter.api.Test;

class ScenarioReaderTest {

  @Test
  void everyScenarioOfTheCatalogueIsRead() {
    assertThat(Catalogue.all()).extracting(Scenario::name).isEqualTo(Catalogue.names());
  }

  @Test
  void allMistakesAreReportedAtOnceWithTheirPlaces() {
    ScenarioReader.Reading reading =
        ScenarioReader.read(
            "broken.yaml",
            """
            name: broken
            secnds: 60s
            regions:
              eu: { zones: [eu-1] }
            traffic:
              - { name: a, hosts: many, service: s, caller: c, procedure: p, rate: 5 }
            watch: { service: s, rule: all }
            expect:
              dropRatio: about 3
            ---
            service: s
            rules:
              - { name: all, limit: 10 }
            """
                .getBytes(UTF_8));

    assertThat(reading.scenario()).isNull();
    assertThat(reading.problems())
        .extracting(FileProblem::line)
        .contains(2, 6, 7, 9, 13)
        .isSorted();
  }
}
