package io.headgate.agent.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestPathTest {

  @ParameterizedTest
  @CsvSource({
    "'', /",
    "/, /",
    "//, /",
    "/api/transfers, /api/transfers",
    "/api/transfers/, /api/transfers/",
    "//api///transfers, /api/transfers",
    "/api/./transfers, /api/transfers",
    "/api/other/../transfers, /api/transfers",
    "/api/transfers/., /api/transfers/",
    "/api/transfers/..,  /api/",
    "/../../etc, /etc",
    "/.., /",
    "/api/.hidden, /api/.hidden",
    "/api/...,  /api/...",
    "api, /api",
  })
  void hasOneSpellingForEachPath(String path, String normalized) {
    assertThat(RequestPath.normalized(path)).isEqualTo(normalized);
  }

  @Test
  void holdsNothingThatATerminalWouldObey() {
    assertThat(RequestPath.normalized("/a\u001b[2J\n\u009bb")).isEqualTo("/a?[2J??b");
  }

  @Property
  void leavesWhatIsNormalAlone(
      @ForAll @CharRange(from = '-', to = '/') @StringLength(max = 12) String path) {
    String once = RequestPath.normalized(path);

    assertThat(RequestPath.normalized(once)).isEqualTo(once);
    assertThat(once).startsWith("/").doesNotContain("//").doesNotContain("/./");
  }
}
