package io.headgate.envoy.bootstrap;

import io.headgate.agent.call.CallHeaders;
import io.headgate.agent.call.CallerIdentity;

/** From what an Envoy knows who calls. */
public sealed interface CallerSource {

  /** The header by which callers name themselves, for networks in which they are trusted to. */
  static CallerSource header() {
    return new Header();
  }

  /** The SPIFFE id in the caller's certificate, which the listener asks for. */
  static CallerSource spiffe() {
    return new Spiffe();
  }

  /**
   * Always the same caller, as behind a service that calls others.
   *
   * @param name 1 to 128 printable ASCII characters
   * @throws IllegalArgumentException if the name has not that form
   */
  static CallerSource fixed(String name) {
    return new Fixed(name);
  }

  /** All callers are one, {@link CallerIdentity#UNKNOWN}. */
  static CallerSource unknown() {
    return fixed(CallerIdentity.UNKNOWN);
  }

  /** Its written form. */
  String text();

  /** What it says, in a comment. */
  String comment();

  /** Envoy's command operators that give the caller. */
  String format();

  /** The caller in {@link CallHeaders#CALLER}. */
  record Header() implements CallerSource {
    @Override
    public String text() {
      return "header";
    }

    @Override
    public String comment() {
      return "the first " + CallHeaders.CALLER + " header; callers are trusted to name themselves.";
    }

    @Override
    public String format() {
      return "%REQ(" + CallHeaders.CALLER + "):" + CallerIdentity.MAX_LENGTH + "%";
    }
  }

  /** The caller in its certificate. */
  record Spiffe() implements CallerSource {
    @Override
    public String text() {
      return "spiffe";
    }

    @Override
    public String comment() {
      return "the SPIFFE id in its certificate.";
    }

    @Override
    public String format() {
      return "%DOWNSTREAM_PEER_URI_SAN%";
    }
  }

  /** One caller. */
  record Fixed(String name) implements CallerSource {
    public Fixed {
      if (name.length() > CallerIdentity.MAX_LENGTH || !name.matches("[!-~]([ -~]*[!-~])?")) {
        throw new IllegalArgumentException(
            "caller: '"
                + name
                + "' (expected: 1 to "
                + CallerIdentity.MAX_LENGTH
                + " printable ASCII characters, no space at either end)");
      }
    }

    @Override
    public String text() {
      return "static";
    }

    @Override
    public String comment() {
      return "one service calls through this Envoy.";
    }

    @Override
    public String format() {
      return Yaml.literal(name);
    }
  }
}
