package io.headgate.envoy.bootstrap;

import io.headgate.envoy.stage.Stage;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;

/** Bootstraps of each kind. */
enum Example {
  INGRESS {
    @Override
    EnvoyBootstrap.Builder builder() {
      return EnvoyBootstrap.builder("payments", "eu-1", address("127.0.0.1", 8080))
          .region("eu")
          .listen(address("0.0.0.0", 10000));
    }
  },
  INGRESS_SPIFFE {
    @Override
    EnvoyBootstrap.Builder builder() {
      return EnvoyBootstrap.builder("payments", "eu-1", address("::1", 8080))
          .callers(CallerSource.spiffe())
          .procedures(ProcedureNaming.HTTP)
          .stages(EnumSet.of(Stage.PAIR, Stage.PROCEDURE))
          .listenTls(tls())
          .headgateTls(tls())
          .headgate(address("headgate.internal", 18000));
    }
  },
  EGRESS {
    @Override
    EnvoyBootstrap.Builder builder() {
      return EnvoyBootstrap.builder("payments", "eu-1", address("payments.internal", 8080))
          .nodeId("checkout-17")
          .direction(Direction.EGRESS)
          .callers(CallerSource.fixed("checkout"))
          .stages(EnumSet.of(Stage.CALLER))
          .headgateTls(tls())
          .headgate(address("10.0.0.7", 18000))
          .flush(Duration.ofMillis(250))
          .envoyMinor(EnvoyBootstrap.OLDEST_MINOR);
    }
  };

  /** Where the PEM files of the examples are; relative to where Envoy is started. */
  static final String CERTIFICATE = "tls/own.pem";

  static final String KEY = "tls/own.key";
  static final String AUTHORITY = "tls/ca.pem";

  abstract EnvoyBootstrap.Builder builder();

  EnvoyBootstrap bootstrap() {
    return builder().build();
  }

  String file() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-') + ".yaml";
  }

  /** Those of an Envoy that old; what it then lacks is left out. */
  EnvoyBootstrap forMinor(int minor) {
    return builder().envoyMinor(minor).build();
  }

  private static TlsPaths tls() {
    return new TlsPaths(CERTIFICATE, KEY, AUTHORITY);
  }

  private static InetSocketAddress address(String host, int port) {
    return InetSocketAddress.createUnresolved(host, port);
  }
}
