package io.headgate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.server.command.OptionTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * Keeps {@code docs/configuration.md} complete. {@code -Dheadgate.docs.update=true} writes the
 * tables of options anew.
 */
class ConfigurationPageTest {

  private static final Path PAGE = Path.of("..", "docs", "configuration.md");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "server",
        "keyed",
        "ratelimit",
        "ratelimit validate",
        "envoy bootstrap",
        "demo",
        "validate",
        "status",
        "limits plan",
        "limits compute",
        "limits apply",
        "limits promote",
        "limits status",
        "limits revert",
        "limits backtest"
      })
  void thePageHasTheOptionsOfTheCommandAsTheyAre(String command) throws IOException {
    String begin = "<!-- begin: options of headgate " + command + " -->\n";
    String end = "<!-- end -->";
    String page = Files.readString(PAGE);
    int from = page.indexOf(begin) + begin.length();
    assertThat(page).as("docs/configuration.md").contains(begin);
    int to = page.indexOf(end, from);
    String table = OptionTable.of(command(command).getCommandSpec());
    if (Boolean.getBoolean("headgate.docs.update")) {
      Files.writeString(PAGE, page.substring(0, from) + table + page.substring(to));
    } else {
      assertThat(page.substring(from, to))
          .as("docs/configuration.md; -Dheadgate.docs.update=true brings it up to date")
          .isEqualTo(table);
    }
  }

  private static CommandLine command(String names) {
    CommandLine command = Headgate.commandLine();
    for (String name : names.split(" ", -1)) {
      command = command.getSubcommands().get(name);
    }
    return command;
  }
}
