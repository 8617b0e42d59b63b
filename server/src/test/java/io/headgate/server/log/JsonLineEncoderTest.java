package io.headgate.server.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class JsonLineEncoderTest {

  private final JsonLineEncoder encoder = new JsonLineEncoder();

  @Test
  void anEventIsOneLineOfJson() throws Exception {
    LoggingEvent event = event("said \"{}\"\nand more", new IllegalStateException("broken"));
    event.addKeyValuePair(new KeyValuePair("zone", "eu-1"));

    String line = new String(encoder.encode(event), UTF_8);

    assertThat(line).endsWith("}\n");
    assertThat(line.chars().filter(c -> c == '\n').count()).isEqualTo(1);
    JsonNode json = new ObjectMapper().readTree(line);
    assertThat(json.get("time").asText()).isEqualTo("2026-01-02T03:04:05.006Z");
    assertThat(json.get("level").asText()).isEqualTo("WARN");
    assertThat(json.get("logger").asText()).isEqualTo("io.headgate.Thing");
    assertThat(json.get("message").asText()).isEqualTo("said \"no\"\nand more");
    assertThat(json.get("zone").asText()).isEqualTo("eu-1");
    assertThat(json.get("error").asText())
        .startsWith("java.lang.IllegalStateException: broken")
        .contains("at io.headgate.server.log.JsonLineEncoderTest");
  }

  @Test
  void withoutAFailureThereIsNoErrorField() throws Exception {
    JsonNode json = new ObjectMapper().readTree(encoder.encode(event("all is well {}", null)));
    assertThat(json.has("error")).isFalse();
  }

  private static LoggingEvent event(String message, Throwable thrown) {
    LoggerContext context = new LoggerContext();
    LoggingEvent event =
        new LoggingEvent(
            "",
            context.getLogger("io.headgate.Thing"),
            Level.WARN,
            message,
            thrown,
            new Object[] {"no"});
    event.setInstant(Instant.parse("2026-01-02T03:04:05.006Z"));
    return event;
  }
}
