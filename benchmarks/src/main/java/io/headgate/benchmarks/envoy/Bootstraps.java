package io.headgate.benchmarks.envoy;

import io.headgate.envoy.bootstrap.CallerSource;
import io.headgate.envoy.bootstrap.EnvoyBootstrap;
import java.net.InetSocketAddress;

/** The configurations of the Envoys that are compared. */
final class Bootstraps {

  private static final String ADMIN =
      "admin: { address: { socket_address: { address: 127.0.0.1, port_value: 0 } } }\n";

  private static final String LISTENER =
      """
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
      FILTERS
                        - name: envoy.filters.http.router
                          typed_config:
                            "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router
                      route_config:
                        virtual_hosts:
                          - name: all
                            domains: ["*"]
                            routes:
                              - match: { prefix: "/" }
                                ROUTE
      """;

  private static final String CLUSTERS =
      """
        clusters:
          - name: upstream
            load_assignment:
              cluster_name: upstream
              endpoints: [ { lb_endpoints: [ { endpoint: { address: { socket_address: { address: 127.0.0.1, port_value: UPSTREAM } } } } ] } ]
      """;

  private static final String FILTER =
      """
                        - name: envoy.filters.http.ratelimit
                          typed_config:
                            "@type": type.googleapis.com/envoy.extensions.filters.http.ratelimit.v3.RateLimit
                            domain: benchmark
                            timeout: 1s
                            failure_mode_deny: true
                            rate_limit_service:
                              transport_api_version: V3
                              grpc_service: { envoy_grpc: { cluster_name: ratelimit } }
                            rate_limits:
                              - actions:
                                  - request_headers: { header_name: ":path", descriptor_key: path }
      """;

  private static final String SERVICE =
      """
          - name: ratelimit
            typed_extension_protocol_options:
              envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
                "@type": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
                explicit_http_config: { http2_protocol_options: {} }
            load_assignment:
              cluster_name: ratelimit
              endpoints: [ { lb_endpoints: [ { endpoint: { address: { socket_address: { address: 127.0.0.1, port_value: SERVICE } } } } ] } ]
      """;

  private Bootstraps() {}

  /** Answers by itself: what the others have behind them. */
  static String upstream() {
    return ADMIN
        + LISTENER
            .replace("FILTERS\n", "")
            .replace("ROUTE", "direct_response: { status: 200, body: { inline_string: ok } }");
  }

  /** Passes on, and nothing else. */
  static String plain(int upstream) {
    return ADMIN
        + LISTENER.replace("FILTERS\n", "").replace("ROUTE", "route: { cluster: upstream }")
        + CLUSTERS.replace("UPSTREAM", "" + upstream);
  }

  /** Asks the rate limit service about each request. */
  static String filter(int upstream, int service) {
    return ADMIN
        + LISTENER.replace("FILTERS\n", FILTER).replace("ROUTE", "route: { cluster: upstream }")
        + CLUSTERS.replace("UPSTREAM", "" + upstream)
        + SERVICE.replace("SERVICE", "" + service);
  }

  /** Drops by the ratios that it is told, in all stages. */
  static String stages(int upstream, InetSocketAddress headgate) {
    return EnvoyBootstrap.builder(
            "benchmark", "zone", InetSocketAddress.createUnresolved("127.0.0.1", upstream))
        .region("region")
        .callers(CallerSource.fixed("wrk"))
        .listen(InetSocketAddress.createUnresolved("127.0.0.1", 0))
        .admin(InetSocketAddress.createUnresolved("127.0.0.1", 0))
        .headgate(headgate)
        .build()
        .toYaml();
  }
}
