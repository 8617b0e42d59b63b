package io.headgate.control.rules;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.status.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page on rules shows what really happens: each example is read, and each output compared. */
class RulesPageTest {

  private static final Path DOCS = Path.of("..", "docs");

  private static final Pattern EXAMPLE =
      Pattern.compile("```yaml\\n(.*?)```(?:\\n\\n```text\\n(.*?)```)?", Pattern.DOTALL);

  @Test
  void showsTheRealProblemsOfEachExample() throws IOException {
    List<MatchResult> examples =
        EXAMPLE.matcher(Files.readString(DOCS.resolve("rules.md"))).results().toList();

    assertThat(examples).hasSizeGreaterThan(10);
    for (MatchResult example : examples) {
      String output = example.group(2) == null ? "" : example.group(2);
      assertThat(problems(example.group(1))).as(example.group(1)).isEqualTo(output);
    }
  }

  @Test
  void hasAnExampleFileThatIsValid() {
    assertThat(RuleValidation.of(List.of(DOCS.resolve("rules"))))
        .isEqualTo(new RuleValidation(List.of(), 1, 1, 4));
  }

  private static String problems(String yaml) {
    return RuleCodec.read("payments.yaml", yaml.getBytes(UTF_8)).problems().stream()
        .map(FileProblem::toString)
        .map(line -> line + "\n")
        .collect(joining());
  }
}
