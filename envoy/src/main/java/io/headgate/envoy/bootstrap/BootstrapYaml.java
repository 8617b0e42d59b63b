package io.headgate.envoy.bootstrap;

import static io.headgate.envoy.bootstrap.Yaml.literal;
import static io.headgate.envoy.bootstrap.Yaml.quoted;

import io.headgate.agent.call.CallerIdentity;
import io.headgate.envoy.stage.Stage;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Fills in the templates. */
final class BootstrapYaml {

  /** How Envoy writes the name that a caller is judged by. */
  private static final String CALLER = "%REQ(x-headgate-bucket-caller)%";

  private static final Pattern IP = Pattern.compile("\\d+\\.\\d+\\.\\d+\\.\\d+|.*:.*");
  private static final byte TRAILERS = (byte) 0x80;

  private final EnvoyBootstrap bootstrap;

  BootstrapYaml(EnvoyBootstrap bootstrap) {
    this.bootstrap = bootstrap;
  }

  String text() {
    Map<String, String> values = new HashMap<>();
    values.put("title", title());
    values.put("versions", versions());
    values.put("id", quoted(bootstrap.nodeId));
    values.put("service", quoted(bootstrap.service));
    values.put("ownService", quoted(ownService()));
    values.put("locality", locality());
    values.put("callers", bootstrap.callers.text());
    values.put("procedures", bootstrap.procedures.text());
    values.put(
        "stageNames", bootstrap.stages.stream().map(Stage::text).collect(Collectors.joining(", ")));
    address(values, "admin", bootstrap.admin);
    address(values, "listen", bootstrap.listen);
    values.put("flush", seconds(bootstrap.flush));
    values.put("direction", bootstrap.direction == Direction.INGRESS ? "ingress" : "egress");
    values.put("listenerTls", listenerTls());
    values.put("callerComment", bootstrap.callers.comment());
    values.put("callerFormat", quoted(bootstrap.callers.format()));
    values.put("callerCut", callerCut());
    values.put("serviceFormat", quoted(literal(bootstrap.service)));
    values.put("procedureFormat", quoted(bootstrap.procedures.format()));
    values.put("statsScope", statsScope());
    values.put("requests", requests());
    values.put("limitedHeaders", Template.of("limited-headers.yaml").fill(Map.of()));
    values.put("grpcWebFrame", quoted(grpcWebTrailers()));
    values.put("callerCheck", callerCheck());
    values.put("stages", stages());
    values.put("upstreamEndpoint", endpoint("service", bootstrap.upstream));
    values.put("headgateTls", headgateTls());
    values.put("headgateEndpoint", endpoint("headgate", bootstrap.headgate));
    return Template.of("bootstrap.yaml").fill(values);
  }

  private String title() {
    return bootstrap.direction == Direction.INGRESS
        ? "calls that come to the service " + bootstrap.service
        : "calls that go out to the service " + bootstrap.service;
  }

  /** The service beside which the Envoy stands; Headgate holds its certificate against this. */
  private String ownService() {
    return bootstrap.direction == Direction.EGRESS
            && bootstrap.callers instanceof CallerSource.Fixed caller
        ? caller.name()
        : bootstrap.service;
  }

  private String versions() {
    return bootstrap.envoyMinor < EnvoyBootstrap.FIRST_MINOR_WITH_SCOPES
        ? "1." + bootstrap.envoyMinor + " to 1.38; newer ones take it, but never forget a counter"
        : "1." + bootstrap.envoyMinor + " and newer";
  }

  private String locality() {
    @Nullable String region = bootstrap.region;
    return "locality: { "
        + (region == null ? "" : "region: " + quoted(region) + ", ")
        + "zone: "
        + quoted(bootstrap.zone)
        + " }";
  }

  /**
   * The bound: beyond it Envoy counts nothing of new names, until idle ones have been forgotten.
   */
  private String statsScope() {
    return bootstrap.envoyMinor < EnvoyBootstrap.FIRST_MINOR_WITH_SCOPES
        ? "stat_prefix: headgate"
        : "stats_scope: { prefix: headgate, enable_eviction: true, max_counters: 100000 }";
  }

  /**
   * A caller that is no name is counted as what the filters will make of it, which come later than
   * the count.
   */
  private String requests() {
    if (isOneCaller()) {
      return requests("", "filter: { log_type_filter: { types: [DownstreamStart] } }", CALLER);
    }
    Template filter = Template.of("rq-filter.yaml");
    return requests("", filter.fill(Map.of("invert", "")), CALLER)
        + requests(
            ".unknown",
            filter.fill(Map.of("invert", "invert_match: true")),
            CallerIdentity.UNKNOWN);
  }

  private String requests(String suffix, String filter, String caller) {
    return Template.of("rq.yaml")
        .fill(
            Map.of(
                "suffix", suffix,
                "filter", filter,
                "caller", quoted(caller),
                "statsScope", statsScope(),
                "serviceFormat", quoted(literal(bootstrap.service)),
                "procedureFormat", quoted(bootstrap.procedures.format())));
  }

  /** The other sources are cut, or short, by themselves. */
  private String callerCut() {
    return bootstrap.callers instanceof CallerSource.Spiffe
        ? Template.of("caller-cut.yaml").fill(Map.of())
        : "";
  }

  private boolean isOneCaller() {
    return bootstrap.callers instanceof CallerSource.Fixed;
  }

  private String callerCheck() {
    return isOneCaller() ? "" : Template.of("caller-check.yaml").fill(Map.of());
  }

  private String stages() {
    Template template = Template.of("stage.yaml");
    return bootstrap.stages.stream()
        .map(
            stage ->
                template.fill(
                    Map.of(
                        "stage",
                        stage.text(),
                        "key",
                        quoted(
                            stage.key(
                                literal(bootstrap.service),
                                CALLER,
                                bootstrap.procedures.format())))))
        .collect(Collectors.joining());
  }

  private String listenerTls() {
    @Nullable TlsPaths tls = bootstrap.listenTls;
    if (tls == null) {
      return "";
    }
    String authority = tls.authority();
    return Template.of("listener-tls.yaml")
        .fill(
            Map.of(
                "certificate", quoted(tls.certificate()),
                "key", quoted(tls.key()),
                "mutual", Boolean.toString(authority != null),
                "validation",
                    authority == null
                        ? ""
                        : "validation_context: { trusted_ca: { filename: "
                            + quoted(authority)
                            + " } }"));
  }

  private String headgateTls() {
    @Nullable TlsPaths tls = bootstrap.headgateTls;
    if (tls == null || tls.authority() == null) {
      return "";
    }
    String host = bootstrap.headgate.getHostString();
    return Template.of("headgate-tls.yaml")
        .fill(
            Map.of(
                "certificate", quoted(tls.certificate()),
                "key", quoted(tls.key()),
                "authority", quoted(tls.authority()),
                "sni", isIp(host) ? "" : "sni: " + quoted(host),
                "sanType", isIp(host) ? "IP_ADDRESS" : "DNS",
                "sanHost", quoted(host)));
  }

  /** Names are looked up again and again; of several addresses the first counts. */
  private static String endpoint(String cluster, InetSocketAddress address) {
    String host = address.getHostString();
    return Template.of("endpoint.yaml")
        .fill(
            Map.of(
                "type",
                isIp(host) ? "STATIC" : "LOGICAL_DNS",
                "cluster",
                cluster,
                "host",
                quoted(host),
                "port",
                Integer.toString(address.getPort())));
  }

  private static void address(Map<String, String> values, String name, InetSocketAddress address) {
    values.put(name + "Host", quoted(address.getHostString()));
    values.put(name + "Port", Integer.toString(address.getPort()));
  }

  private static boolean isIp(String host) {
    return IP.matcher(host).matches();
  }

  private static String seconds(Duration duration) {
    return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString() + "s";
  }

  /**
   * The trailers as the last frame of a gRPC-Web body, in base64.
   *
   * <p>gRPC over HTTP, "Protocol differences vs gRPC over HTTP2": the most significant bit of the
   * first byte marks trailers, which are a block of HTTP/1 headers.
   */
  private static String grpcWebTrailers() {
    byte[] trailers =
        "grpc-status:8\r\ngrpc-message:rate limited\r\n".getBytes(StandardCharsets.US_ASCII);
    byte[] frame = new byte[5 + trailers.length];
    frame[0] = TRAILERS;
    frame[4] = (byte) trailers.length;
    System.arraycopy(trailers, 0, frame, 5, trailers.length);
    return Base64.getEncoder().encodeToString(frame);
  }
}
