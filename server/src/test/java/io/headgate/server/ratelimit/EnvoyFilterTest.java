package io.headgate.server.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.Server;
import io.headgate.envoy.process.EnvoyBinary;
import io.headgate.envoy.process.EnvoyProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Envoy with its rate limit filter, which asks the service for each request. */
@Tag("process")
class EnvoyFilterTest {

  private static final Duration START = Duration.ofSeconds(20);
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TempDir private Path directory;
  private Server upstream;
  private RateLimitServer service;

  @BeforeEach
  void start() throws Exception {
    upstream =
        Server.builder()
            .http(new java.net.InetSocketAddress("127.0.0.1", 0))
            .serviceUnder(
                "/", (ctx, request) -> com.linecorp.armeria.common.HttpResponse.of(HttpStatus.OK))
            .build();
    upstream.start().join();
    Files.writeString(
        directory.resolve("shop.yaml"),
        """
        domain: shop
        descriptors:
          - key: path
            value: /limited*
            share_threshold: true
            rate_limit: { name: limited, unit: year, requests_per_unit: 10 }
          - key: refunded
            rate_limit: { name: refunded, unit: year, requests_per_unit: 2 }
        """);
    service =
        RateLimitServer.start(
            RateLimitSettings.read(
                Map.of(
                    "HEADGATE_RATELIMIT_RULES", directory.toString(),
                    "HEADGATE_RATELIMIT_DRAFT_HEADERS", "true",
                    "GRPC_PORT", "0",
                    "PORT", "0")));
  }

  @AfterEach
  void stop() throws Exception {
    service.drain();
    upstream.stop().join();
  }

  private EnvoyProcess envoy(String filterSettings) {
    String bootstrap =
        """
        admin: { address: { socket_address: { address: 127.0.0.1, port_value: 0 } } }
        static_resources:
          listeners:
            - name: ingress
              address: { socket_address: { address: 127.0.0.1, port_value: 0 } }
              filter_chains:
                - filters:
                    - name: hcm
                      typed_config:
                        "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
                        stat_prefix: ingress
                        http_filters:
                          - name: envoy.filters.http.ratelimit
                            typed_config:
                              "@type": type.googleapis.com/envoy.extensions.filters.http.ratelimit.v3.RateLimit
                              domain: shop
                              enable_x_ratelimit_headers: DRAFT_VERSION_03
                              timeout: 2s
                              FILTER_SETTINGS
                              rate_limit_service:
                                transport_api_version: V3
                                grpc_service: { envoy_grpc: { cluster_name: ratelimit } }
                              rate_limits:
                                - actions:
                                    - request_headers: { header_name: ":path", descriptor_key: path }
                                - actions:
                                    - request_headers: { header_name: x-refund, descriptor_key: refunded }
                                  hits_addend: { number: 2, is_negative_hits: true }
                                - actions:
                                    - request_headers: { header_name: x-take, descriptor_key: refunded }
                                  hits_addend: { number: 2 }
                          - name: envoy.filters.http.router
                            typed_config:
                              "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router
                        route_config:
                          virtual_hosts:
                            - name: all
                              domains: ["*"]
                              routes:
                                - match: { prefix: "/" }
                                  route: { cluster: upstream }
          clusters:
            - name: upstream
              load_assignment:
                cluster_name: upstream
                endpoints: [ { lb_endpoints: [ { endpoint: { address: { socket_address: { address: 127.0.0.1, port_value: UPSTREAM_PORT } } } } ] } ]
            - name: ratelimit
              typed_extension_protocol_options:
                envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
                  "@type": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
                  explicit_http_config: { http2_protocol_options: {} }
              load_assignment:
                cluster_name: ratelimit
                endpoints: [ { lb_endpoints: [ { endpoint: { address: { socket_address: { address: 127.0.0.1, port_value: SERVICE_PORT } } } } ] } ]
        """
            .replace("FILTER_SETTINGS", filterSettings)
            .replace("UPSTREAM_PORT", "" + upstream.activeLocalPort())
            .replace("SERVICE_PORT", "" + service.grpcAddress().port());
    return EnvoyProcess.start(EnvoyBinary.of(EnvoyBinary.NEWEST), bootstrap, 1).awaitLive(START);
  }

  private static HttpResponse<String> get(EnvoyProcess envoy, String path, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + envoy.listener("ingress").getPort() + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  @Test
  void theLimitPassesThroughEnvoyAndNoMore() throws Exception {
    try (EnvoyProcess envoy = envoy("enable_retry_after_header: true")) {
      List<Integer> codes = new ArrayList<>();
      HttpResponse<String> first = get(envoy, "/limited?first");
      codes.add(first.statusCode());
      HttpResponse<String> last = first;
      for (int i = 1; i < 15; i++) {
        last = get(envoy, "/limited/" + i + "?q=" + i);
        codes.add(last.statusCode());
      }

      assertThat(codes.subList(0, 10)).containsOnly(200);
      assertThat(codes.subList(10, 15)).containsOnly(429);
      assertThat(get(envoy, "/free").statusCode()).isEqualTo(200);
      assertThat(header(first, "x-ratelimit-limit"))
          .isEqualTo("10, 10;w=31536000;name=\"limited\"");
      assertThat(header(first, "x-ratelimit-remaining")).isEqualTo("9");
      assertThat(Long.parseLong(header(first, "x-ratelimit-reset"))).isBetween(1L, 31_536_000L);
      assertThat(header(first, "ratelimit-policy")).isEqualTo("\"limited\";q=10;w=31536000");
      assertThat(header(first, "ratelimit")).startsWith("\"limited\";r=9;t=");
      assertThat(header(last, "x-ratelimit-remaining")).isEqualTo("0");
      assertThat(header(last, "x-envoy-ratelimited")).isEqualTo("true");
      assertThat(last.headers().allValues("retry-after"))
          .containsExactly(header(last, "x-ratelimit-reset"));
      assertThat(envoy.stat("cluster.upstream.ratelimit.over_limit")).isEqualTo(5);
      assertThat(envoy.stat("cluster.upstream.ratelimit.error")).isZero();
    }
  }

  /** The field of the message is newer than the messages that this program is built with. */
  @Test
  void negativeHitsOfEnvoyGiveBack() throws Exception {
    try (EnvoyProcess envoy = envoy("")) {
      assertThat(get(envoy, "/", "x-take", "a").statusCode()).isEqualTo(200);
      assertThat(get(envoy, "/", "x-take", "a").statusCode()).isEqualTo(429);
      assertThat(get(envoy, "/", "x-refund", "a").statusCode()).isEqualTo(200);
      assertThat(get(envoy, "/", "x-take", "a").statusCode()).isEqualTo(200);
      assertThat(get(envoy, "/", "x-take", "a").statusCode()).isEqualTo(429);
    }
  }

  @Test
  void whenTheServiceIsGoneEnvoyLetsPassOrRefusesAsItIsTold() throws Exception {
    try (EnvoyProcess open = envoy("");
        EnvoyProcess closed = envoy("failure_mode_deny: true")) {
      assertThat(get(open, "/limited").statusCode()).isEqualTo(200);
      assertThat(get(closed, "/limited").statusCode()).isEqualTo(200);
      service.drain();

      assertThat(get(open, "/limited").statusCode()).isEqualTo(200);
      assertThat(open.stat("cluster.upstream.ratelimit.failure_mode_allowed")).isEqualTo(1);
      assertThat(get(closed, "/limited").statusCode()).isEqualTo(500);
    }
  }
}
