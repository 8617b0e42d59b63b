package io.headgate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.agent.call.CallHeaders;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of the agent names what there is, and nothing else. */
class AgentPageTest {

  private static final Path PAGE = Path.of("..", "docs", "agent.md");

  @Test
  void namesEverySettingOfTheBuilder() throws IOException {
    Set<String> settings =
        Stream.of(HeadgateAgentBuilder.class.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .filter(method -> method.getReturnType() == HeadgateAgentBuilder.class)
            .map(Method::getName)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(firstColumnBelow("## Settings")).isEqualTo(settings);
  }

  @Test
  void namesEveryHeader() throws IOException {
    assertThat(firstColumnBelow("## Headers"))
        .containsExactlyInAnyOrder(
            CallHeaders.CALLER,
            CallHeaders.CRITICALITY,
            CallHeaders.GRPC_PREVIOUS_ATTEMPTS,
            CallHeaders.ENVOY_ATTEMPT);
  }

  private static Set<String> firstColumnBelow(String heading) throws IOException {
    List<String> lines = Files.readAllLines(PAGE);
    return lines.stream()
        .skip(lines.indexOf(heading) + 1L)
        .takeWhile(line -> !line.startsWith("## "))
        .filter(line -> line.startsWith("| `"))
        .map(line -> line.substring(3, line.indexOf('`', 3)))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
