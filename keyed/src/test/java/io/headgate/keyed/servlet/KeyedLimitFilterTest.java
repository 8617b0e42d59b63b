package io.headgate.keyed.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.headgate.core.limit.FixedWindow;
import io.headgate.core.limit.SlidingLog;
import io.headgate.keyed.Hit;
import io.headgate.keyed.KeyedDecision;
import io.headgate.keyed.KeyedLimiter;
import io.headgate.keyed.NamedLimit;
import io.headgate.keyed.local.LocalKeyedLimiter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.Date;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The filter in a real server, on a clock that the test moves. */
class KeyedLimitFilterTest {

  private static final long SECOND = 1_000_000_000L;
  private static final NamedLimit TRANSFERS =
      NamedLimit.of("transfers", new SlidingLog(2, Duration.ofMinutes(1)));
  private static final byte[] SECRET = "0123456789abcdef0123456789abcdef".getBytes();

  private final AtomicLong now = new AtomicLong(3600 * SECOND);
  private final LocalKeyedLimiter limiter = LocalKeyedLimiter.builder().nanoClock(now::get).build();
  private Server server;

  private void serve(RequestPolicy... policies) throws Exception {
    serve(KeyedLimitFilter.of(limiter, List.of(policies), now::get));
  }

  private void serve(KeyedLimitFilter filter) throws Exception {
    ServletContextHandler context = new ServletContextHandler("/");
    context.addFilter(new FilterHolder(filter), "/*", EnumSet.allOf(DispatcherType.class));
    context.addServlet(new Fine(), "/api/*");
    server = new Server(new InetSocketAddress("127.0.0.1", 0));
    server.setHandler(context);
    server.start();
  }

  @AfterEach
  void stop() throws Exception {
    if (server != null) {
      server.stop();
    }
  }

  private HttpResponse<String> send(String method, String path, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.getURI().resolve(path).toString()))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static RequestPolicy byHeader(NamedLimit limit) {
    return RequestPolicy.of(
        limit, Set.of("post"), "/api/transfers", KeySource.header("X-Customer"));
  }

  @Test
  void whoIsOverIsToldWhenToComeBack() throws Exception {
    serve(byHeader(TRANSFERS));
    HttpResponse<String> first = send("POST", "/api/transfers", "X-Customer", "42");
    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(first.headers().firstValue("RateLimit-Policy")).hasValue("\"transfers\";q=2;w=60");
    assertThat(first.headers().firstValue("RateLimit")).hasValue("\"transfers\";r=1;t=60");
    send("POST", "/api/transfers", "X-Customer", "42");
    now.addAndGet(8 * SECOND + 1);

    HttpResponse<String> third = send("POST", "/api/transfers/", "X-Customer", "42");

    assertThat(third.statusCode()).isEqualTo(429);
    assertThat(third.headers().firstValue("Retry-After")).hasValue("52");
    assertThat(third.headers().firstValue("RateLimit")).hasValue("\"transfers\";r=0;t=52");
    assertThat(third.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(third.body())
        .isEqualTo(
            "{\"type\":\"about:blank\",\"title\":\"Too Many Requests\",\"status\":429,"
                + "\"limit\":\"transfers\",\"retryAfterSeconds\":52}");
    now.addAndGet(52 * SECOND);
    assertThat(send("POST", "/api/transfers", "X-Customer", "42").statusCode()).isEqualTo(200);
  }

  @Test
  void otherMethodsPathsAndKeysAreNotLimited() throws Exception {
    serve(byHeader(TRANSFERS));
    for (int request = 0; request < 3; request++) {
      send("POST", "/api/transfers", "X-Customer", "42");
    }
    assertThat(send("GET", "/api/transfers", "X-Customer", "42").statusCode()).isEqualTo(200);
    assertThat(send("POST", "/api/other", "X-Customer", "42").statusCode()).isEqualTo(200);
    assertThat(send("POST", "/api/transfers", "X-Customer", "43").statusCode()).isEqualTo(200);
  }

  @Test
  void shadowLetsPassAndSaysNothing() throws Exception {
    serve(byHeader(TRANSFERS.inShadow()));
    for (int request = 0; request < 5; request++) {
      HttpResponse<String> response = send("POST", "/api/transfers", "X-Customer", "42");
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.headers().firstValue("RateLimit")).isEmpty();
    }
  }

  @Test
  void requestsWithoutAKeyAreCountedTogether() throws Exception {
    serve(byHeader(TRANSFERS));
    send("POST", "/api/transfers");
    send("POST", "/api/transfers");
    assertThat(send("POST", "/api/transfers").statusCode()).isEqualTo(429);
  }

  @Test
  void allPoliciesThatMatchMustAgree() throws Exception {
    NamedLimit all = NamedLimit.of("all", new FixedWindow(3, Duration.ofMinutes(1)));
    serve(byHeader(TRANSFERS), RequestPolicy.of(all, Set.of(), "/api/**", KeySource.everyone()));
    for (String customer : List.of("1", "2", "3")) {
      assertThat(send("POST", "/api/transfers", "X-Customer", customer).statusCode())
          .isEqualTo(200);
    }
    HttpResponse<String> fourth = send("POST", "/api/transfers", "X-Customer", "4");
    assertThat(fourth.statusCode()).isEqualTo(429);
    assertThat(fourth.body()).contains("\"limit\":\"all\"");
  }

  @Test
  void theClaimOfASignedTokenIsAKeyAndThatOfAnotherIsNot() throws Exception {
    serve(
        RequestPolicy.of(
            TRANSFERS, Set.of(), "/api/**", TokenClaim.sharedSecret(SECRET, "customer")));
    String token = "Bearer " + signed("42", SECRET, now());
    assertThat(send("GET", "/api/x", "Authorization", token).statusCode()).isEqualTo(200);
    assertThat(send("GET", "/api/x", "Authorization", token).statusCode()).isEqualTo(200);
    assertThat(send("GET", "/api/x", "Authorization", token).statusCode()).isEqualTo(429);

    byte[] other = "another-secret-of-at-least-32-bytes".getBytes();
    JWTClaimsSet claims = new JWTClaimsSet.Builder().claim("customer", "7").build();
    List<String> forged =
        List.of(
            signed("1", other, now()),
            signed("2", SECRET, new Date(0)), // expired
            new PlainJWT(claims).serialize(),
            "nonsense");
    int admitted = 0;
    for (String each : forged) {
      admitted +=
          send("GET", "/api/x", "Authorization", "Bearer " + each).statusCode() == 200 ? 1 : 0;
    }
    assertThat(admitted).isEqualTo(2); // they share one key
  }

  private static Date now() {
    return new Date(System.currentTimeMillis() + 3_600_000);
  }

  private static String signed(String customer, byte[] secret, Date expiry) throws Exception {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader(JWSAlgorithm.HS256),
            new JWTClaimsSet.Builder().claim("customer", customer).expirationTime(expiry).build());
    token.sign(new MACSigner(Arrays.copyOf(secret, 32)));
    return token.serialize();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | X-Forwarded-For | 198.51.100.1 | 127.0.0.1",
        "1 | X-Forwarded-For | 198.51.100.1 | 198.51.100.1",
        "1 | X-Forwarded-For | 10.9.8.7, 198.51.100.1 | 198.51.100.1", // the client sent the first
        "2 | X-Forwarded-For | 10.9.8.7, 198.51.100.1, 192.0.2.9 | 198.51.100.1",
        "2 | X-Forwarded-For | 198.51.100.1 | 127.0.0.1", // not through both
        "1 | X-Forwarded-For | 198.51.100.1:4711 | 198.51.100.1",
        "1 | Forwarded | for=198.51.100.1;proto=https | 198.51.100.1",
        "1 | Forwarded | by=x;For=\"[2001:db8::1]:4711\" | 2001:db8::1",
        "1 | X-Forwarded-For | 2001:db8::1 | 2001:db8::1",
        "2 | Forwarded | for=10.9.8.7, for=198.51.100.1, for=192.0.2.9 | 198.51.100.1",
      })
  void theAddressIsCountedFromTheEnd(int proxies, String header, String value, String expected)
      throws Exception {
    serve(
        RequestPolicy.of(
            TRANSFERS,
            Set.of(),
            "/api/**",
            request -> {
              String address = ClientAddress.behind(proxies).of(request);
              assertThat(address).isEqualTo(expected);
              return address;
            }));
    assertThat(send("GET", "/api/x", header, value).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10.0.0.0/8 | 198.51.100.1 | 127.0.0.1", // the connection is no proxy's
        "127.0.0.0/8 | 198.51.100.1 | 198.51.100.1",
        "127.0.0.1 | 10.9.8.7, 198.51.100.1 | 198.51.100.1", // the client sent the first
        "127.0.0.1;192.0.2.0/28 | 10.9.8.7, 198.51.100.1, 192.0.2.9 | 198.51.100.1",
        "127.0.0.1;192.0.2.0/29 | 198.51.100.1, 192.0.2.9 | 192.0.2.9",
        "127.0.0.1;2001:db8::/33 | 198.51.100.1, 2001:db8:7fff::1 | 198.51.100.1",
        "127.0.0.1;2001:db8::/33 | 198.51.100.1, 2001:db8:8000::1 | 2001:db8:8000::1",
        "127.0.0.1;192.0.2.0/24 | 198.51.100.1, ::ffff:192.0.2.9 | 198.51.100.1",
        "127.0.0.1;192.0.2.0/24 | 192.0.2.1, 192.0.2.9 | 192.0.2.1", // it began at a proxy
        "127.0.0.1;0.0.0.0/0 | unknown, 192.0.2.9 | unknown",
        "127.0.0.1;198.51.100.0/24 | 203.0.113.5, 198.51.100.1:4711 | 203.0.113.5",
      })
  void theAddressIsTheLastOneThatIsNoProxys(String ranges, String value, String expected)
      throws Exception {
    ClientAddress address = ClientAddress.behind(List.of(ranges.split(";")));
    serve(
        RequestPolicy.of(
            TRANSFERS,
            Set.of(),
            "/api/**",
            request -> {
              assertThat(address.of(request)).isEqualTo(expected);
              return expected;
            }));
    assertThat(send("GET", "/api/x", "X-Forwarded-For", value).statusCode()).isEqualTo(200);
  }

  @Test
  void aLimiterThatDoesNotAnswerHoldsUpNobodyForLong() throws Exception {
    KeyedLimiter silent =
        new KeyedLimiter() {
          @Override
          public CompletionStage<KeyedDecision> check(List<Hit> hits) {
            return new CompletableFuture<>();
          }

          @Override
          public CompletionStage<KeyedDecision> restore(List<Hit> hits) {
            return new CompletableFuture<>();
          }

          @Override
          public void close() {}
        };
    serve(
        KeyedLimitFilter.of(silent, List.of(byHeader(TRANSFERS)))
            .waitingAtMost(Duration.ofMillis(20)));
    HttpResponse<String> response = send("POST", "/api/transfers", "X-Customer", "42");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("RateLimit")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "/api/transfers, /api/transfers, true",
    "/api/transfers, /api//transfers/, true",
    "/api/transfers, /api/transfers/7, false",
    "/api/*/items, /api/7/items, true",
    "/api/*/items, /api/items, false",
    "/api/**, /api, true",
    "/api/**, /api/a/b, true",
    "/**, /, true",
  })
  void pathsMatch(String pattern, String path, boolean matches) {
    assertThat(new PathPattern(pattern).matches(path)).isEqualTo(matches);
  }

  @Test
  void mistakesAreNamed() {
    assertThatThrownBy(() -> new PathPattern("api"))
        .hasMessage("path: 'api' (expected: /a/b, with * for a segment, or ** at the end)");
    assertThatThrownBy(() -> ClientAddress.behind(-1))
        .hasMessage("proxies: -1 (expected: 0 to 20)");
    for (String range :
        List.of("10.0.0.0/33", "::1/129", "10.0.0/8", "proxy.example", "10.0.0.0/x")) {
      assertThatThrownBy(() -> ClientAddress.behind(List.of(range)))
          .hasMessageStartingWith("trusted proxies: '" + range + "' (expected: a range such as");
    }
    assertThatThrownBy(() -> KeyedLimitFilter.of(limiter, List.of()).waitingAtMost(Duration.ZERO))
        .hasMessage("longest wait: PT0S (expected: above 0)");
    assertThatThrownBy(() -> TokenClaim.sharedSecret(new byte[5], "sub"))
        .hasMessage("secret: 5 bytes (expected: 32 at least)");
  }

  private static final class Fine extends HttpServlet {

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getOutputStream().println("fine");
    }
  }
}
