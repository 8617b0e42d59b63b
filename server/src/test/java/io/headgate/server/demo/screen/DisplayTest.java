package io.headgate.server.demo.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class DisplayTest {

  private final StringWriter written = new StringWriter();

  @Test
  void drawsEachFrameOverTheOneBeforeOnATerminal() {
    try (Display display = new Display(new PrintWriter(written), true)) {
      display.show(List.of("one", "two"));
      display.show(List.of("three"));
    }
    assertThat(written.toString().replace("\u001b", "ESC").replace("\r", "CR"))
        .isEqualTo("ESC[?25lESC[Jone\ntwo\nESC[2ACRESC[Jthree\nESC[?25h");
  }

  @Test
  void writesPlainLinesElsewhere() {
    try (Display display = new Display(new PrintWriter(written), false)) {
      display.show(List.of("one", "two"));
      display.show(List.of("three"));
    }
    assertThat(written.toString()).isEqualTo("one\ntwo\nthree\n");
  }
}
