package io.headgate.server.keyed;

import io.grpc.ChannelCredentials;
import io.grpc.ServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettySslContextChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettySslContextServerCredentials;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import io.grpc.util.AdvancedTlsX509TrustManager;
import io.grpc.util.AdvancedTlsX509TrustManager.Verification;
import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS between clients and nodes of a cluster and among nodes, by Gubernator's {@code GUBER_TLS_*}
 * variables. See {@code docs/cluster.md}.
 *
 * <p>Files are read again when they change, and new connections use what they hold; one that is not
 * good changes nothing, and {@link #problem()} says so until it is mended.
 */
public final class PeerTls {

  /** Whether clients must show a certificate, and whether it must be a known one. */
  private enum Clients {
    ANYBODY(ClientAuth.NONE, false),
    REQUEST_CERT(ClientAuth.OPTIONAL, false),
    VERIFY_CERT(ClientAuth.OPTIONAL, true),
    REQUIRE_ANY_CERT(ClientAuth.REQUIRE, false),
    REQUIRE_AND_VERIFY(ClientAuth.REQUIRE, true);

    private final ClientAuth asked;
    private final boolean verified;

    Clients(ClientAuth asked, boolean verified) {
      this.asked = asked;
      this.verified = verified;
    }
  }

  private static final Logger log = LoggerFactory.getLogger(PeerTls.class);

  private static final String PREFIX = "GUBER_TLS_";
  private static final String CA = "GUBER_TLS_CA";
  private static final String CA_KEY = "GUBER_TLS_CA_KEY";
  private static final String AUTO = "GUBER_TLS_AUTO";
  private static final String CERT = "GUBER_TLS_CERT";
  private static final String KEY = "GUBER_TLS_KEY";
  private static final String CLIENT_AUTH = "GUBER_TLS_CLIENT_AUTH";
  private static final String CLIENT_CERT = "GUBER_TLS_CLIENT_AUTH_CERT";
  private static final String CLIENT_KEY = "GUBER_TLS_CLIENT_AUTH_KEY";
  private static final String CLIENT_CA = "GUBER_TLS_CLIENT_AUTH_CA_CERT";

  /**
   * The one that comes with gRPC is quicker, but does not take keys on P-521, which Gubernator
   * makes.
   */
  private static final SslProvider PROVIDER = SslProvider.JDK;

  /** How often files are compared with what was read. */
  public static final Duration RELOAD_INTERVAL = Duration.ofSeconds(5);

  private final CertificateFiles identity;
  private final CertificateFiles clientIdentity;
  private final @Nullable AuthorityFile authority;
  private final @Nullable AuthorityFile clientAuthority;
  private final boolean skipVerify;
  private final Clients clients;
  private final List<String> protocols;
  private final @Nullable String serverName;
  private volatile String problem = "";

  private PeerTls(Variables variables) {
    AutoCertificate made = variables.flag(AUTO, false) ? make(variables) : null;
    variables.text(CA_KEY); // of use with GUBER_TLS_AUTO alone
    identity = made == null ? identity(variables, CERT, KEY) : identity(made);
    clientIdentity =
        variables.has(CLIENT_CERT) || variables.has(CLIENT_KEY)
            ? identity(variables, CLIENT_CERT, CLIENT_KEY)
            : identity;
    authority = made == null ? authority(variables, CA) : authority(AUTO, made.authority());
    clientAuthority = variables.has(CLIENT_CA) ? authority(variables, CLIENT_CA) : authority;
    skipVerify = variables.flag("GUBER_TLS_INSECURE_SKIP_VERIFY", false);
    clients = clients(variables);
    if (clients.verified && clientAuthority == null) {
      throw variables.invalid(CLIENT_AUTH, "with it, " + CLIENT_CA + " or " + CA);
    }
    protocols = protocols(variables);
    String name = variables.text("GUBER_TLS_CLIENT_AUTH_SERVER_NAME");
    serverName = name.isEmpty() ? null : name;
  }

  /**
   * What the variables say; null if none of them is set, which means no TLS.
   *
   * @throws UserError if one is missing or means nothing, or a file is not good
   */
  public static @Nullable PeerTls read(Variables variables) {
    return variables.hasAny(PREFIX) ? new PeerTls(variables) : null;
  }

  private static CertificateFiles identity(Variables variables, String cert, String key) {
    Path certificate = file(variables, cert);
    Path privateKey = file(variables, key);
    try {
      return new CertificateFiles(certificate, privateKey);
    } catch (IOException | GeneralSecurityException e) {
      throw UserError.usage(cert + ", " + key + ": " + e.getMessage());
    }
  }

  private static CertificateFiles identity(AutoCertificate made) {
    try {
      return new CertificateFiles(made.certificate(), made.key());
    } catch (IOException | GeneralSecurityException e) {
      throw UserError.failed(AUTO + ": " + e.getMessage());
    }
  }

  /** A certificate, unless there is one already. */
  private static @Nullable AutoCertificate make(Variables variables) {
    if (variables.has(CERT) || variables.has(KEY)) {
      return null;
    }
    try {
      return variables.has(CA) || variables.has(CA_KEY)
          ? AutoCertificate.signedBy(file(variables, CA), file(variables, CA_KEY))
          : AutoCertificate.make();
    } catch (IOException | GeneralSecurityException e) {
      throw UserError.failed(AUTO + ": no certificate could be made: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw UserError.failed(AUTO + ": interrupted while a certificate was made");
    }
  }

  private static @Nullable AuthorityFile authority(Variables variables, String name) {
    if (!variables.has(name)) {
      return null;
    }
    return authority(name, file(variables, name));
  }

  private static AuthorityFile authority(String name, Path file) {
    try {
      return new AuthorityFile(file);
    } catch (IOException | GeneralSecurityException e) {
      throw UserError.usage(name + ": " + e.getMessage());
    }
  }

  private static Path file(Variables variables, String name) {
    Path file = Path.of(variables.required(name, "with other " + PREFIX + "*", "a PEM file"));
    if (!Files.isReadable(file)) {
      throw variables.invalid(name, "a PEM file that can be read");
    }
    return file;
  }

  private static Clients clients(Variables variables) {
    return switch (variables.text(CLIENT_AUTH)) {
      case "" -> Clients.ANYBODY;
      case "request-cert" -> Clients.REQUEST_CERT;
      case "verify-cert" -> Clients.VERIFY_CERT;
      case "require-any-cert" -> Clients.REQUIRE_ANY_CERT;
      case "require-and-verify" -> Clients.REQUIRE_AND_VERIFY;
      default ->
          throw variables.invalid(
              CLIENT_AUTH, "request-cert, verify-cert, require-any-cert or require-and-verify");
    };
  }

  private static List<String> protocols(Variables variables) {
    return switch (variables.text("GUBER_TLS_MIN_VERSION", "1.3")) {
      case "1.3" -> List.of("TLSv1.3");
      // HTTP/2 does not allow what is older, and nor does the JDK.
      case "1.2", "1.1", "1.0" -> List.of("TLSv1.3", "TLSv1.2");
      default -> throw variables.invalid("GUBER_TLS_MIN_VERSION", "1.2 or 1.3");
    };
  }

  /** For the gRPC port. */
  public ServerCredentials serverCredentials() {
    SslContextBuilder builder =
        GrpcSslContexts.configure(SslContextBuilder.forServer(identity.manager()), PROVIDER)
            .protocols(protocols)
            .clientAuth(clients.asked);
    if (clients.asked != ClientAuth.NONE) {
      builder.trustManager(clientTrust());
    }
    try {
      return NettySslContextServerCredentials.create(builder.build());
    } catch (SSLException e) {
      throw UserError.failed("TLS for the gRPC port: " + e.getMessage());
    }
  }

  /** For connections to peers. */
  public ChannelCredentials channelCredentials() {
    try {
      return NettySslContextChannelCredentials.create(
          GrpcSslContexts.configure(SslContextBuilder.forClient(), PROVIDER)
              .protocols(protocols)
              .keyManager(clientIdentity.manager())
              .trustManager(serverTrust())
              .build());
    } catch (SSLException | GeneralSecurityException e) {
      throw UserError.failed("TLS for connections to peers: " + e.getMessage());
    }
  }

  private X509ExtendedTrustManager serverTrust() throws GeneralSecurityException {
    if (skipVerify) {
      return anybody();
    }
    if (authority != null) {
      return authority.manager();
    }
    try {
      AdvancedTlsX509TrustManager platform = AdvancedTlsX509TrustManager.newBuilder().build();
      platform.useSystemDefaultTrustCerts();
      return platform;
    } catch (GeneralSecurityException e) {
      throw new GeneralSecurityException("the platform's authorities: " + e.getMessage(), e);
    }
  }

  /** The name for which certificates of peers must be; null for the address that is called. */
  public @Nullable String authorityOfPeers() {
    return serverName;
  }

  /** For another port of this node: its certificate, as the files have it at the time. */
  public X509ExtendedKeyManager keyManager() {
    return identity.manager();
  }

  /** For another port of this node: whom it takes for a client. */
  public X509ExtendedTrustManager clientTrust() {
    return clients.verified && clientAuthority != null ? clientAuthority.manager() : anybody();
  }

  /** For another port of this node: whether clients are asked for a certificate. */
  public boolean asksClients() {
    return clients.asked != ClientAuth.NONE;
  }

  /** For another port of this node: whether clients must show a certificate. */
  public boolean requiresClients() {
    return clients.asked == ClientAuth.REQUIRE;
  }

  /** Whether nobody is served who does not show a certificate of a known authority. */
  public boolean isMutual() {
    return requiresClients() && clients.verified;
  }

  /** The names of TLS versions that are spoken, as the JDK has them. */
  public List<String> protocols() {
    return protocols;
  }

  private static X509ExtendedTrustManager anybody() {
    try {
      return AdvancedTlsX509TrustManager.newBuilder()
          .setVerification(Verification.INSECURELY_SKIP_ALL_VERIFICATION)
          .build();
    } catch (CertificateException e) {
      throw new IllegalStateException("a trust manager without certificates", e);
    }
  }

  /**
   * Reads files again when they have changed, until the future is cancelled.
   *
   * @param interval how often to look; {@link #RELOAD_INTERVAL} is meant
   */
  public ScheduledFuture<?> watch(ScheduledExecutorService scheduler, Duration interval) {
    return scheduler.scheduleWithFixedDelay(
        this::reload, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void reload() {
    List<String> problems = new ArrayList<>();
    reload(CERT, identity::reload, problems);
    if (clientIdentity != identity) {
      reload(CLIENT_CERT, clientIdentity::reload, problems);
    }
    if (authority != null) {
      reload(CA, authority::reload, problems);
    }
    if (clientAuthority != null && clientAuthority != authority) {
      reload(CLIENT_CA, clientAuthority::reload, problems);
    }
    String before = problem;
    problem = problems.isEmpty() ? "" : "TLS files: " + String.join("; ", problems);
    if (!problem.isEmpty() && !problem.equals(before)) {
      log.warn("{}; what was read before stays in use", problem);
    }
  }

  @FunctionalInterface
  private interface Reload {
    boolean reload() throws IOException, GeneralSecurityException;
  }

  private static void reload(String name, Reload files, List<String> problems) {
    try {
      if (files.reload()) {
        log.info("{} has changed: new connections use what it holds now", name);
      }
    } catch (GeneralSecurityException e) {
      problems.add(name + ": " + e.getMessage());
    } catch (IOException e) {
      problems.add(name + ": " + e);
    }
  }

  /** What is wrong with files that have changed; empty if nothing is. */
  public String problem() {
    return problem;
  }
}
