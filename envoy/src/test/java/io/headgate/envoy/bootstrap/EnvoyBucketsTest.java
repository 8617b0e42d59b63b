package io.headgate.envoy.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.Headers;
import io.headgate.envoy.bootstrap.RawHttp.Answer;
import io.headgate.envoy.process.EnvoyBinary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What real Envoys make of requests: which bucket they are in, and what a drop looks like. */
abstract class EnvoyBucketsTest {

  @Tag("process")
  static class NewestTest extends EnvoyBucketsTest {
    @BeforeAll
    static void start() throws IOException {
      start(EnvoyBinary.NEWEST);
    }
  }

  @Tag("process")
  static class OldestTest extends EnvoyBucketsTest {
    @BeforeAll
    static void start() throws IOException {
      start(EnvoyBinary.OLDEST);
    }
  }

  private static final String CHECKOUT = "x-headgate-caller: checkout";
  private static BareEnvoy envoy;

  static void start(String version) throws IOException {
    envoy = BareEnvoy.start(EnvoyBinary.of(version), builder -> builder);
    envoy.drop("pair|payments|checkout|/a/b", 100);
    envoy.drop("caller|payments|unknown", 100);
    envoy.drop("procedure|payments|/p", 100);
  }

  @AfterAll
  static void stop() {
    envoy.close();
  }

  private static Answer send(String method, String target, String... headers) {
    try (RawHttp http = new RawHttp(envoy.address())) {
      return http.send(method, target, headers);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/a/b",
        "/a/b?x=1",
        "/a/b?",
        "/a/b?/../../free",
        "//a//b",
        "/./a/b",
        "/x/../a/b",
        "/x/%2e%2E/a/b",
        "/%2e/a/b",
        "/a%2Fb",
        "/a%2fb",
        "/a%5Cb",
        "/a\\b",
        "/%61/b",
        "http://elsewhere/a/b",
      })
  void aPathInDisguiseIsInTheSameBucket(String path) {
    assertThat(send("GET", path, CHECKOUT).status()).isEqualTo(429);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x-headgate-bucket-caller: other",
        "X-HEADGATE-BUCKET-CALLER: other",
        "x-headgate-bucket-caller: other\r\nx-headgate-bucket-caller: another",
        "x-headgate-bucket-caller:",
        "x-envoy-downstream-service-cluster: other",
        "x-envoy-downstream-service-cluster: other\r\nx-envoy-downstream-service-cluster: another",
        "x-envoy-downstream-service-cluster:",
        "x-envoy-downstream-service-node: other",
        "x-envoy-original-path: /free",
        "x-envoy-original-path: /free\r\nx-envoy-original-path: /more",
        "x-original-url: /free",
        "x-forwarded-for: 1.2.3.4",
        "x-forwarded-host: elsewhere",
        "x-envoy-internal: true",
        "x-envoy-fault-abort-request: 200",
        "x-envoy-fault-abort-grpc-request: 0",
        "x-envoy-fault-abort-request-percentage: 0",
        "connection: x-headgate-bucket-caller",
        "connection: x-envoy-downstream-service-cluster",
        "x-headgate-caller: other",
        "content-type: text/plain",
        "te: trailers",
        "user-agent: other",
      })
  void noHeaderOfAClientLeadsToAnotherBucket(String header) {
    assertThat(send("GET", "/a/b", CHECKOUT, header).status()).isEqualTo(429);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/grpc",
        "application/grpc+proto",
        "application/grpc-web",
        "application/grpc-web-text+proto",
        "application/grpcx",
        "APPLICATION/GRPC",
        "application/grpc; application/json",
      })
  void noContentTypeLeadsToAnotherBucket(String contentType) {
    long before = envoy.dropped("checkout", "/a/b", "pair|payments|checkout|/a/b");
    envoy.passed();

    send("POST", "/a/b", CHECKOUT, "content-type: " + contentType, "content-length: 0");

    assertThat(envoy.passed()).isEmpty();
    Awaitility.await()
        .until(
            () -> envoy.dropped("checkout", "/a/b", "pair|payments|checkout|/a/b") == before + 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x-other: 1",
        "x-headgate-caller:",
        "x-headgate-caller:   ",
        "x-headgate-caller:\r\nx-headgate-caller: checkout",
        "x-headgate-caller: caf\u00e9",
        "x-headgate-caller: caf\u00c3\u00a9",
        "x-headgate-caller: checkout\u00ff",
        "x-headgate-caller: a\tb",
        "x-headgate-bucket-caller: checkout",
      })
  void whoHasNoNameOrNoneThatCanBeLimitedIsUnknown(String header) {
    long before = envoy.offered("unknown", "/any");

    assertThat(send("GET", "/any", header).status()).isEqualTo(429);
    assertThat(envoy.offered("unknown", "/any")).isEqualTo(before + 1);
  }

  @Test
  void aNameIsCutAtItsLongest() {
    String longest = "a".repeat(128);
    envoy.drop("caller|payments|" + longest, 100);

    assertThat(send("GET", "/any", "x-headgate-caller: " + longest).status()).isEqualTo(429);
    assertThat(send("GET", "/any", "x-headgate-caller: " + longest + "b").status()).isEqualTo(429);
    assertThat(send("GET", "/any", "x-headgate-caller: b" + longest).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "procedure|payments|/p",
        "|payments|checkout|/a/b",
        "unknown|unknown",
        "checkout|/a/b",
        "checkout.abort.abort_percent",
        "%REQ(x-headgate-caller)%",
      })
  void noNameOfACallerIsTheBucketOfAnother(String caller) {
    assertThat(send("GET", "/a/c", "x-headgate-caller: " + caller).status()).isEqualTo(200);
  }

  @Test
  void aWideBucketHoldsWhoWasNeverSeenBefore() {
    for (int i = 0; i < 50; i++) {
      assertThat(send("GET", "/p", "x-headgate-caller: new-" + i).status()).isEqualTo(429);
    }
  }

  @Test
  void whatIsOfferedIsCountedOnceAndSoIsWhatIsDropped() {
    for (int i = 0; i < 10; i++) {
      send("GET", "/p?" + i, "x-headgate-caller: counted", "x-headgate-caller: second");
      send("GET", "/q?" + i, "x-headgate-caller: counted");
    }

    assertThat(envoy.offered("counted", "/p")).isEqualTo(10);
    assertThat(envoy.offered("counted", "/q")).isEqualTo(10);
    Awaitility.await().until(() -> envoy.dropped("counted", "/p", "procedure|payments|/p") == 10);
    assertThat(envoy.dropped("counted", "/q", "service|payments")).isZero();
  }

  @Test
  void theServiceSeesNoneOfTheHeadersThatAreForTheProxy() {
    envoy.passed();

    send("GET", "/seen", CHECKOUT, "x-headgate-bucket-caller: a", "x-envoy-original-path: /b");

    Headers headers = envoy.passed().element();
    assertThat(headers.keySet())
        .contains("X-headgate-caller")
        .doesNotContain("X-headgate-bucket-caller", "X-envoy-downstream-service-cluster");
  }

  /** Of what reaches it, each stage drops its share: 1 - 0.8 * 0.7 * 0.9 * 0.8 = 0.5968. */
  @Test
  void stagesMultiply() {
    List<String> keys =
        List.of(
            "pair|payments|m|/m", "caller|payments|m", "procedure|payments|/m", "service|payments");
    int[] percents = {20, 30, 10, 20};
    for (int i = 0; i < keys.size(); i++) {
      envoy.drop(keys.get(i), percents[i]);
    }
    int requests = 3000;
    int dropped = 0;
    try (RawHttp http = new RawHttp(envoy.address())) {
      for (int i = 0; i < requests; i++) {
        dropped += http.send("GET", "/m", "x-headgate-caller: m").status() == 429 ? 1 : 0;
      }
    } finally {
      envoy.drop("service|payments", 0);
    }

    // Five standard deviations of 3,000 draws, 0.009 each.
    assertThat((double) dropped / requests).isCloseTo(0.5968, within(0.045));
    long sum = 0;
    double reached = requests;
    for (int i = 0; i < keys.size(); i++) {
      long here = envoy.dropped("m", "/m", keys.get(i));
      assertThat(here / reached).as(keys.get(i)).isCloseTo(percents[i] / 100.0, within(0.06));
      sum += here;
      reached -= here;
    }
    assertThat(sum).isEqualTo(dropped);
  }

  @Test
  void aDroppedCallOfHttpIsToldToTryLater() {
    Answer answer = send("GET", "/a/b", CHECKOUT);

    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.header("retry-after")).isEqualTo("1");
    assertThat(answer.header("x-envoy-ratelimited")).isEqualTo("true");
    assertThat(answer.header("grpc-status")).isEqualTo("absent");
    assertThat(answer.body()).isEqualTo("rate limited");
  }

  @Test
  void aDroppedCallOfGrpcHasStatusResourceExhausted() {
    Answer answer = send("POST", "/a/b", CHECKOUT, "content-type: application/grpc");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("content-type")).isEqualTo("application/grpc");
    assertThat(answer.header("grpc-status")).isEqualTo("8");
    assertThat(answer.header("grpc-message")).isEqualTo("rate limited");
    assertThat(answer.header("retry-after")).isEqualTo("1");
    assertThat(answer.header("x-envoy-ratelimited")).isEqualTo("true");
  }

  @Test
  void aDroppedCallOfGrpcWebHasTheSameInItsTrailersFrame() {
    Answer bytes = send("POST", "/a/b", CHECKOUT, "content-type: application/grpc-web+proto");
    Answer text = send("POST", "/a/b", CHECKOUT, "content-type: application/grpc-web-text");

    assertThat(bytes.status()).isEqualTo(200);
    assertThat(bytes.header("content-type")).isEqualTo("application/grpc-web+proto");
    assertThat(bytes.header("x-envoy-ratelimited")).isEqualTo("true");
    assertThat(bytes.body())
        .isEqualTo("\u0080\0\0\0*grpc-status:8\r\ngrpc-message:rate limited\r\n");
    assertThat(text.status()).isEqualTo(200);
    assertThat(text.header("content-type")).isEqualTo("application/grpc-web-text+proto");
    assertThat(Base64.getDecoder().decode(text.body()))
        .asString(StandardCharsets.ISO_8859_1)
        .isEqualTo(bytes.body());
  }
}
