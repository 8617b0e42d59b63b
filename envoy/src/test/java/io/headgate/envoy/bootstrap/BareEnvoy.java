package io.headgate.envoy.bootstrap;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import io.headgate.envoy.process.EnvoyBinary;
import io.headgate.envoy.process.EnvoyProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;

/**
 * An Envoy with a bootstrap of Headgate's, but without Headgate: ratios are set on its admin port,
 * and its counters are read there. What passes comes to an HTTP/1.1 server that keeps the headers.
 */
final class BareEnvoy implements AutoCloseable {

  private static final String SERVICE = "payments";

  private final HttpServer upstream;
  private final EnvoyProcess envoy;
  private final Queue<Headers> passed = new ConcurrentLinkedQueue<>();

  private BareEnvoy(HttpServer upstream, EnvoyProcess envoy) {
    this.upstream = upstream;
    this.envoy = envoy;
    upstream.createContext(
        "/",
        exchange -> {
          passed.add(exchange.getRequestHeaders());
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
  }

  static BareEnvoy start(EnvoyBinary binary, UnaryOperator<EnvoyBootstrap.Builder> settings)
      throws IOException {
    HttpServer upstream =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    upstream.start();
    return new BareEnvoy(
        upstream,
        start(binary, upstream.getAddress().getPort(), settings, UnaryOperator.identity()));
  }

  /**
   * The same before another server.
   *
   * @param edit what is unlike what people run
   */
  static EnvoyProcess start(
      EnvoyBinary binary,
      int upstreamPort,
      UnaryOperator<EnvoyBootstrap.Builder> settings,
      UnaryOperator<String> edit) {
    EnvoyBootstrap.Builder builder =
        EnvoyBootstrap.builder(SERVICE, "eu-1", localhost(upstreamPort))
            .listen(localhost(0))
            .admin(localhost(0))
            .headgate(localhost(1)) // nobody there
            .envoyMinor(binary.minor());
    String yaml =
        settings
            .apply(builder)
            .build()
            .toYaml()
            .replace(
                "initial_fetch_timeout: 0.5s", "initial_fetch_timeout: 0.01s"); // not for nobody
    return EnvoyProcess.start(binary, edit.apply(yaml), 1).awaitLive(Duration.ofSeconds(20));
  }

  /** Where calls come in. */
  InetSocketAddress address() {
    return envoy.listener("ingress");
  }

  /** Has {@code percent} of the requests with this key dropped. */
  void drop(String key, int percent) {
    drop(envoy, key, percent);
  }

  static void drop(EnvoyProcess envoy, String key, int percent) {
    envoy.post(
        "/runtime_modify?"
            + URLEncoder.encode(
                    "fault.http." + key + ".abort.abort_percent", StandardCharsets.UTF_8)
                .replace("+", "%20")
            + "="
            + percent);
  }

  /** The headers of what has passed since the last time. */
  Queue<Headers> passed() {
    Queue<Headers> all = new ConcurrentLinkedQueue<>(passed);
    passed.clear();
    return all;
  }

  /** Calls counted on arrival. */
  long offered(String caller, String procedure) {
    return envoy.stat(
        "headgate.rq.service.%s.caller.%s.procedure.%s".formatted(SERVICE, caller, procedure));
  }

  /** Calls dropped by a key. */
  long dropped(String caller, String procedure, String key) {
    return envoy.stat(
        "headgate.drop.service.%s.caller.%s.procedure.%s.key.%s"
            .formatted(SERVICE, caller, procedure, key));
  }

  @Override
  public void close() {
    envoy.close();
    upstream.stop(0);
  }

  private static InetSocketAddress localhost(int port) {
    return InetSocketAddress.createUnresolved("127.0.0.1", port);
  }
}
