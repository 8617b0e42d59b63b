package io.headgate.configurator.source.prometheus;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer to a range query, of which only the first series is kept.
 *
 * @param success whether it says so
 * @param error what Prometheus says is wrong
 * @param warning the first warning: the answer is not all of it
 * @param resultType {@code matrix} if all is well
 * @param series how many series there are
 * @param seconds the times of the first one's samples
 * @param values their values
 */
@SuppressWarnings("ArrayRecordComponent") // tens of thousands of samples, which nobody compares
record RangeAnswer(
    boolean success,
    @Nullable String error,
    @Nullable String warning,
    String resultType,
    int series,
    long[] seconds,
    double[] values) {

  static final RangeAnswer NONE =
      new RangeAnswer(false, null, null, "", 0, new long[0], new double[0]);

  private static final JsonFactory JSON = new JsonFactory();

  /** Reads an answer, which may hold tens of thousands of samples, without a tree of it. */
  static RangeAnswer parse(byte[] body) throws IOException {
    try (JsonParser parser = JSON.createParser(body)) {
      return new Reader(parser).read();
    }
  }

  private static final class Reader {

    private final JsonParser parser;
    private boolean success;
    private @Nullable String error;
    private final List<String> warnings = new ArrayList<>();
    private String resultType = "";
    private int series;
    private long[] seconds = new long[1024];
    private double[] values = new double[1024];
    private int samples;

    Reader(JsonParser parser) {
      this.parser = parser;
    }

    RangeAnswer read() throws IOException {
      expect(parser.nextToken(), JsonToken.START_OBJECT);
      while (next() != JsonToken.END_OBJECT) {
        String key = parser.currentName();
        JsonToken value = next();
        switch (key) {
          case "status" -> success = parser.getText().equals("success");
          case "error" -> error = parser.getText();
          case "warnings" -> readWarnings(value);
          case "data" -> readData(value);
          default -> parser.skipChildren();
        }
      }
      return new RangeAnswer(
          success,
          error,
          warnings.isEmpty() ? null : warnings.get(0),
          resultType,
          series,
          Arrays.copyOf(seconds, samples),
          Arrays.copyOf(values, samples));
    }

    private void readWarnings(JsonToken value) throws IOException {
      if (value == JsonToken.START_ARRAY) {
        while (next() != JsonToken.END_ARRAY) {
          warnings.add(parser.getText());
        }
      }
    }

    private void readData(JsonToken value) throws IOException {
      if (value != JsonToken.START_OBJECT) {
        return; // an error may come with "data": null
      }
      while (next() != JsonToken.END_OBJECT) {
        String key = parser.currentName();
        JsonToken inner = next();
        if (key.equals("resultType")) {
          resultType = parser.getText();
        } else if (key.equals("result") && inner == JsonToken.START_ARRAY) {
          readResult();
        } else {
          parser.skipChildren();
        }
      }
    }

    private void readResult() throws IOException {
      for (JsonToken item = next(); item != JsonToken.END_ARRAY; item = next()) {
        if (item != JsonToken.START_OBJECT) {
          parser.skipChildren(); // another type than matrix, which its name says
          continue;
        }
        series++;
        while (next() != JsonToken.END_OBJECT) {
          String key = parser.currentName();
          JsonToken value = next();
          if (key.equals("values") && series == 1 && value == JsonToken.START_ARRAY) {
            readSamples();
          } else {
            parser.skipChildren();
          }
        }
      }
    }

    private void readSamples() throws IOException {
      while (next() != JsonToken.END_ARRAY) {
        if (samples == seconds.length) {
          seconds = Arrays.copyOf(seconds, 2 * samples);
          values = Arrays.copyOf(values, 2 * samples);
        }
        next();
        seconds[samples] = Math.round(parser.getDoubleValue());
        next();
        values[samples] = value(parser.getText());
        samples++;
        expect(next(), JsonToken.END_ARRAY);
      }
    }

    private static double value(String text) throws IOException {
      return switch (text) {
        case "NaN" -> Double.NaN;
        case "+Inf" -> Double.POSITIVE_INFINITY;
        case "-Inf" -> Double.NEGATIVE_INFINITY;
        default -> {
          try {
            yield Double.parseDouble(text);
          } catch (NumberFormatException e) {
            throw new IOException("found '" + text + "' as a sample (expected: a number)", e);
          }
        }
      };
    }

    private JsonToken next() throws IOException {
      JsonToken token = parser.nextToken();
      if (token == null) {
        throw new EOFException("the answer ends in its middle");
      }
      return token;
    }

    private static void expect(@Nullable JsonToken found, JsonToken expected) throws IOException {
      if (found != expected) {
        throw new IOException("found " + found + " (expected: " + expected + ")");
      }
    }
  }
}
