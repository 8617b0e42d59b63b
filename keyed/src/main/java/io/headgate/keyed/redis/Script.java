package io.headgate.keyed.redis;

import io.lettuce.core.internal.LettuceAssert;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A script and the digest by which Redis knows it.
 *
 * @param suffix ends the keys of its states, so that no script meets the state of another
 */
record Script(String suffix, String body, String digest) {

  static Script load(String name, String clock) {
    String body = resource("common.lua") + clock + resource(name + ".lua");
    return new Script(name, body, sha1(body));
  }

  /** The function {@code clock} by which the scripts tell the time: the server's. */
  static String serverClock() {
    return resource("clock.lua");
  }

  private static String resource(String name) {
    try (InputStream in = Script.class.getResourceAsStream(name)) {
      LettuceAssert.notNull(in, () -> name + " is missing from the program");
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha1(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
