package io.headgate.server.envoy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headgate.envoy.process.EnvoyProcess;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The drop ratios that an Envoy goes by at this moment, as its admin page has them. */
final class RatiosInForce {

  private static final Pattern KEY = Pattern.compile("fault\\.http\\.(.*)\\.abort\\.abort_percent");
  private static final Pattern NUMERATOR = Pattern.compile("number_value: (\\d+)");

  private RatiosInForce() {}

  /** From 0 to 1, by key. */
  static Map<String, Double> of(EnvoyProcess envoy) {
    try {
      Map<String, Double> ratios = new TreeMap<>();
      JsonNode entries = new ObjectMapper().readTree(envoy.get("/runtime")).path("entries");
      entries
          .properties()
          .forEach(
              entry -> {
                Matcher key = KEY.matcher(entry.getKey());
                Matcher numerator =
                    NUMERATOR.matcher(entry.getValue().path("final_value").asText());
                if (key.matches() && numerator.find()) {
                  ratios.put(key.group(1), Integer.parseInt(numerator.group(1)) / 1e6);
                }
              });
      return ratios;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** The share of requests that pass all of these keys; 1 minus nothing for those not there. */
  static double passing(Map<String, Double> ratios, String... keys) {
    double passing = 1;
    for (String key : keys) {
      passing *= 1 - ratios.getOrDefault(key, 0.0);
    }
    return passing;
  }
}
