package io.headgate.server.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TextTableTest {

  @Test
  void columnsAreAsWideAsTheirWidestCell() {
    TextTable table =
        new TextTable()
            .text("RULE", 10)
            .number("LIMIT/S")
            .text("MODE", 10)
            .row("charge", "5,000", "deny")
            .row("a", "50", "allow");
    assertThat(table.lines())
        .containsExactly(
            "RULE    LIMIT/S  MODE", //
            "charge    5,000  deny",
            "a            50  allow");
  }

  @Test
  void textThatIsTooLongIsCutVisibly() {
    TextTable table = new TextTable().text("RULE", 8).row("a-rather-long-name");
    assertThat(table.lines()).containsExactly("RULE", "a-rath..");
  }

  @Test
  void aRowHasACellForEachColumn() {
    TextTable table = new TextTable().text("RULE", 8).number("N");
    assertThatThrownBy(() -> table.row("a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cells: 1 (expected: 2, one a column)");
  }
}
