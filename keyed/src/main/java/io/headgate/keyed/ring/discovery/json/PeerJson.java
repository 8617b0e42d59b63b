package io.headgate.keyed.ring.discovery.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.headgate.keyed.ring.discovery.MalformedPeerException;
import io.headgate.keyed.ring.discovery.PeerInfo;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A peer as a JSON object: {@code {"data-center":"","http-address":"","grpc-address":"",
 * "is-owner":true}}. These are the names that Gubernator uses, so that nodes of both can read what
 * the other wrote. Names that are not known are skipped: later versions may have more.
 */
public final class PeerJson {

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private static final String EXPECTED =
      "expected: {\"grpc-address\": \"host:port\"}, with \"http-address\" and \"data-center\" if"
          + " known";

  private PeerJson() {}

  /** One object, of which {@code is-owner} is absent: who reads it knows whether it is itself. */
  public static String write(PeerInfo peer) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("data-center", peer.dataCenter());
      json.writeStringField("http-address", peer.httpAddress());
      json.writeStringField("grpc-address", peer.grpcAddress());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a string takes everything
    }
    return text.toString();
  }

  /**
   * One object and nothing else.
   *
   * @throws MalformedPeerException if it is something else
   */
  public static PeerInfo read(String text) throws MalformedPeerException {
    List<PeerInfo> peers = readAll(text);
    if (peers.size() != 1) {
      throw new MalformedPeerException(1, peers.size() + " peers (" + EXPECTED + ")");
    }
    return peers.get(0);
  }

  /**
   * Objects one after the other, an array of them, or both.
   *
   * @throws MalformedPeerException at the first that is something else
   */
  public static List<PeerInfo> readAll(String text) throws MalformedPeerException {
    List<PeerInfo> peers = new ArrayList<>();
    int line = 1;
    try (JsonParser json = JSON.createParser(text)) {
      boolean inArray = false;
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        line = json.currentTokenLocation().getLineNr();
        if (token == JsonToken.START_OBJECT) {
          peers.add(readPeer(json));
        } else if (token == JsonToken.START_ARRAY && !inArray) {
          inArray = true;
        } else if (token == JsonToken.END_ARRAY) {
          inArray = false;
        } else {
          throw new MalformedPeerException(line, "'" + json.getText() + "' (" + EXPECTED + ")");
        }
      }
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation();
      throw new MalformedPeerException(
          at == null ? line : at.getLineNr(), e.getOriginalMessage() + " (" + EXPECTED + ")");
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a string can be read
    }
    return peers;
  }

  private static PeerInfo readPeer(JsonParser json) throws IOException, MalformedPeerException {
    int line = json.currentTokenLocation().getLineNr();
    String grpcAddress = "";
    String httpAddress = "";
    String dataCenter = "";
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "grpc-address" -> grpcAddress = text(json, name);
        case "http-address" -> httpAddress = text(json, name);
        case "data-center" -> dataCenter = text(json, name);
        default -> json.skipChildren();
      }
    }
    try {
      return new PeerInfo(grpcAddress, httpAddress, dataCenter);
    } catch (IllegalArgumentException e) {
      throw new MalformedPeerException(line, "\"grpc-address\": " + e.getMessage());
    }
  }

  private static String text(JsonParser json, String name)
      throws IOException, MalformedPeerException {
    if (json.currentToken() != JsonToken.VALUE_STRING) {
      throw new MalformedPeerException(
          json.currentTokenLocation().getLineNr(),
          "\"" + name + "\": " + json.getText() + " (expected: a string)");
    }
    return json.getText();
  }
}
