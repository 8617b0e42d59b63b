package io.headgate.control.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.status.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuleValidationTest {

  @TempDir private Path directory;

  @Test
  void countsWhatIsInFilesAndDirectories() throws IOException {
    Path rules = Files.createDirectory(directory.resolve("rules"));
    Files.writeString(
        rules.resolve("payments.yaml"),
        "service: payments\nrules: [{ name: a, limit: 1/s }, { name: b, limit: 1/s }]\n");
    Files.writeString(rules.resolve("notes.txt"), "not a rule file");
    Path other = directory.resolve("shipping.conf");
    Files.writeString(other, "service: shipping\nrules: [{ name: a, limit: 1/s }]\n");

    RuleValidation validation = RuleValidation.of(List.of(rules, other));

    assertThat(validation).isEqualTo(new RuleValidation(List.of(), 2, 2, 3));
    assertThat(validation.isValid()).isTrue();
  }

  @Test
  void namesFilesAsTheyWereGiven() throws IOException {
    Path first = directory.resolve("first.yaml");
    Path second = directory.resolve("second.yaml");
    Path broken = directory.resolve("third.yaml");
    Files.writeString(first, "service: payments\nrules: []\n");
    Files.writeString(second, "service: payments\nrules: []\n");
    Files.writeString(broken, "service: shipping\nrules: x\n");
    Path absent = directory.resolve("absent");

    RuleValidation validation = RuleValidation.of(List.of(directory, absent));

    assertThat(validation.problems())
        .extracting(FileProblem::toString)
        .containsExactly(
            absent + ":1:1: cannot be read: there is no such file or directory",
            second
                + ":1:10: duplicate service 'payments' (first in "
                + first
                + ":1:10, which stays in force)",
            broken + ":2:8: rules: found 'x' (expected: a list of rules)");
    assertThat(validation.isValid()).isFalse();
  }
}
