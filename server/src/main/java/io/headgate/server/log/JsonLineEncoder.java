package io.headgate.server.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/** Writes an event as a JSON object on one line; key-value pairs of the event become fields. */
final class JsonLineEncoder extends EncoderBase<ILoggingEvent> {

  private static final byte[] NOTHING = new byte[0];

  private final JsonFactory json = new JsonFactory();

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    try (JsonGenerator generator = json.createGenerator(line)) {
      generator.writeStartObject();
      generator.writeStringField("time", event.getInstant().toString());
      generator.writeStringField("level", event.getLevel().toString());
      generator.writeStringField("logger", event.getLoggerName());
      generator.writeStringField("thread", event.getThreadName());
      generator.writeStringField("message", event.getFormattedMessage());
      @Nullable List<KeyValuePair> pairs = event.getKeyValuePairs();
      if (pairs != null) {
        for (KeyValuePair pair : pairs) {
          generator.writeStringField(pair.key, String.valueOf(pair.value));
        }
      }
      @Nullable IThrowableProxy thrown = event.getThrowableProxy();
      if (thrown != null) {
        generator.writeStringField("error", ThrowableProxyUtil.asString(thrown));
      }
      generator.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    line.writeBytes("\n".getBytes(UTF_8));
    return line.toByteArray();
  }
}
