package io.headgate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.agent.HeadgateAgentBuilder;
import io.headgate.server.command.OptionTable;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Keeps {@code docs/configuration.md} complete. {@code -Dheadgate.docs.update=true} writes the
 * tables of options anew.
 */
class ConfigurationPageTest {

  private static final Path PAGE = Path.of("..", "docs", "configuration.md");

  @ParameterizedTest
  @ValueSource(strings = {"server", "demo", "validate", "status"})
  void thePageHasTheOptionsOfTheCommandAsTheyAre(String command) throws IOException {
    String begin = "<!-- begin: options of headgate " + command + " -->\n";
    String end = "<!-- end -->";
    String page = Files.readString(PAGE);
    int from = page.indexOf(begin) + begin.length();
    assertThat(page).as("docs/configuration.md").contains(begin);
    int to = page.indexOf(end, from);
    String table =
        OptionTable.of(Headgate.commandLine().getSubcommands().get(command).getCommandSpec());
    if (Boolean.getBoolean("headgate.docs.update")) {
      Files.writeString(PAGE, page.substring(0, from) + table + page.substring(to));
    } else {
      assertThat(page.substring(from, to))
          .as("docs/configuration.md; -Dheadgate.docs.update=true brings it up to date")
          .isEqualTo(table);
    }
  }

  @Test
  void thePageNamesEverySettingOfTheAgent() throws IOException {
    List<String> settings =
        Arrays.stream(HeadgateAgentBuilder.class.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .filter(method -> method.getReturnType() == HeadgateAgentBuilder.class)
            .map(Method::getName)
            .distinct()
            .map(name -> "| `" + name + "` |")
            .toList();
    assertThat(settings).isNotEmpty();
    assertThat(Files.readString(PAGE)).contains(settings);
  }
}
