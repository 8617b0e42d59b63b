package io.headgate.keyed.redis;

import io.lettuce.core.internal.LettuceAssert;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** A script and the digest by which Redis knows it. */
record Script(String name, String body, String digest) {

  /** The script of one algorithm. */
  static Script load(String name, String clock) {
    return of(name, resource("common.lua") + clock + resource(name + ".lua"));
  }

  /**
   * The script that decides on several limits in one step. It has the algorithms as functions whose
   * parameters are named as what a script gets from Redis.
   */
  static Script joint(List<Script> algorithms) {
    StringBuilder body = new StringBuilder("local decide = {}\n");
    for (Script each : algorithms) {
      body.append("decide['").append(each.name).append("'] = function(KEYS, ARGV)\n");
      body.append(each.body).append("\nend\n");
    }
    return of("joint", body + resource("joint.lua"));
  }

  private static Script of(String name, String body) {
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
