package io.headgate.configurator.source.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.headgate.configurator.Traffic;
import io.headgate.configurator.series.LimitKey;
import io.headgate.configurator.series.Series;
import io.headgate.configurator.series.TimeRange;
import io.headgate.configurator.source.Measure;
import io.headgate.configurator.source.MetricQuery;
import io.headgate.configurator.source.SourceException;
import io.headgate.core.rule.Rate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Against a fake: a server that gives the answers of a Prometheus in trouble, as they are told it.
 */
class PrometheusSourceTest {

  private static final long FROM = Traffic.MONDAY.getEpochSecond();
  private static final String NO_SERIES =
      "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}";

  private record Answer(int status, String body, Map<String, String> headers) {}

  private final Deque<Answer> answers = new ArrayDeque<>();
  private final List<Map<String, String>> requests = new ArrayList<>();
  private final List<Long> pauses = new ArrayList<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/api/v1/query_range", this::handle);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void weeksAreAskedForInSlicesAndPutTogether() throws Exception {
    // Three steps of a minute, two a request; a sample at the end of a step is about that step.
    answer(200, matrix(series(FROM + 60, "10", FROM + 120, "20.5")));
    answer(200, matrix(series(FROM + 180, "NaN")));

    Series read = source(2, 1).read(query(3));

    assertThat(read.values()).containsExactly(10, 20.5, Double.NaN);
    assertThat(requests)
        .extracting(form -> form.get("start") + " " + form.get("end") + " " + form.get("step"))
        .containsExactly(
            (FROM + 60) + " " + (FROM + 120) + " 60", (FROM + 180) + " " + (FROM + 180) + " 60");
  }

  @Test
  void theUsualQueryIsAboutTheRuleInItsDomain() throws Exception {
    answer(200, NO_SERIES);

    source(100, 1).read(query(1));

    assertThat(requests.get(0).get("query"))
        .isEqualTo(
            "max(max_over_time(headgate_rule_offered_per_second{service=\"payments\","
                + "rule=\"checkout\",domain=~\"global\",domain!~\"-\"}[60s]))");
  }

  @Test
  void whatACandidateWouldDropIsAskedForByItsName() throws Exception {
    answer(200, NO_SERIES);
    LimitKey candidate =
        new LimitKey("payments", Traffic.rule("checkout", 1, Map.of()).candidate(new Rate(2)), "");

    double[] read =
        new PrometheusSource(
                api(null, 1000),
                new Queries(Queries.OFFERED, Queries.DROPPED, Queries.WOULD_DROP, Queries.WATCHED),
                retries(1),
                100)
            .read(
                new MetricQuery(candidate, Measure.WOULD_DROP, new TimeRange(FROM, FROM + 60), 60))
            .values();

    assertThat(requests).hasSize(1);
    assertThat(requests.get(0).get("query"))
        .isEqualTo(
            "max(max_over_time(headgate_rule_would_drop_per_second{service=\"payments\","
                + "rule=\"checkout.candidate\",domain=~\"global\",domain!~\"-\"}[60s]))");
    assertThat(read).as("nothing known is not nothing dropped").containsExactly(Double.NaN);
  }

  @Test
  void aQueryOfOnesOwnGetsNamesThatCannotBreakOut() throws Exception {
    answer(200, NO_SERIES);
    LimitKey limit =
        new LimitKey("pay\"ments", Traffic.rule("a.b\\c*", 1, Map.of("eu", new Rate(1))), "eu");
    Queries queries =
        new Queries(
            "x{s=\"$service\",c=~\"$caller\",d=~\"$domain\",p=~\"$procedure\"} $other", "", "", "");

    new PrometheusSource(api(null, 1000), queries, retries(1), 100)
        .read(new MetricQuery(limit, Measure.OFFERED, new TimeRange(FROM, FROM + 60), 60));

    assertThat(requests.get(0).get("query"))
        .isEqualTo(
            "x{s=\"pay\\\"ments\",c=~\"a\\\\.b\\\\\\\\c.*\",d=~\"(region|zone):eu\",p=~\".*\"} $other");
  }

  @Test
  void noSeriesAtAllIsNothingKnown() throws Exception {
    answer(200, NO_SERIES);

    assertThat(source(100, 1).read(query(2)).known()).isEmpty();
  }

  @Test
  void whereControllersWereWatchedNoSeriesIsNoDemandAndThatIsAskedOnce() throws Exception {
    PrometheusSource source =
        new PrometheusSource(
            api(null, 5000), new Queries("o", "d", "s", "w{$step}"), retries(1), 100);
    answer(200, matrix(series(FROM + 60, "5")));
    answer(200, matrix(series(FROM + 60, "7", FROM + 120, "7")));
    answer(200, NO_SERIES);

    assertThat(source.read(query(3)).values()).containsExactly(5, 0, Double.NaN);
    assertThat(source.read(query(3)).values()).containsExactly(0, 0, Double.NaN);
    assertThat(requests).extracting(form -> form.get("query")).containsExactly("o", "w{60s}", "o");
  }

  @Test
  void aServerThatAsksForPatienceGetsIt() throws Exception {
    answers.add(new Answer(429, "", Map.of("Retry-After", "7")));
    answer(429, "");
    answer(200, matrix(series(FROM + 60, "5")));

    assertThat(source(100, 5).read(query(1)).at(0)).isEqualTo(5);
    assertThat(pauses).containsExactly(7000L, 375L);
  }

  @Test
  void aServerThatStaysOutOfOrderIsGivenUp() {
    for (int i = 0; i < 4; i++) {
      answer(503, "{\"status\":\"error\",\"errorType\":\"timeout\",\"error\":\"query timed out\"}");
    }

    assertThatThrownBy(() -> source(100, 4).read(query(1)))
        .isInstanceOf(SourceException.class)
        .hasMessage(url() + ": query timed out; tried 4 times");
    assertThat(pauses).containsExactly(188L, 375L, 750L);
  }

  @Test
  void anAnswerThatIsCutOffIsAskedForAgain() throws Exception {
    String whole = matrix(series(FROM + 60, "5"));
    answer(200, whole.substring(0, whole.length() - 9));
    answer(200, whole);

    assertThat(source(100, 2).read(query(1)).at(0)).isEqualTo(5);
  }

  @Test
  void aWrongQueryIsNotAskedTwice() {
    answer(
        400,
        "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"1:4: parse error: unclosed left"
            + " parenthesis\"}");

    assertThatThrownBy(() -> source(100, 5).read(query(1)))
        .isInstanceOf(SourceException.class)
        .hasMessageStartingWith(
            url() + ": 1:4: parse error: unclosed left parenthesis, for the query max(");
    assertThat(requests).hasSize(1);
  }

  @Test
  void aPartOfTheTruthIsRefused() {
    answer(
        200,
        NO_SERIES.replace("\"data\"", "\"warnings\":[\"store 10.0.0.7 did not answer\"],\"data\""));

    assertThatThrownBy(() -> source(100, 5).read(query(1)))
        .hasMessageStartingWith(
            "payments/checkout: the answer may be a part of the truth: store 10.0.0.7 did not answer");
  }

  @Test
  void severalSeriesAreRefused() {
    answer(200, matrix(series(FROM + 60, "5"), series(FROM + 60, "6")));

    assertThatThrownBy(() -> source(100, 5).read(query(1)))
        .hasMessageStartingWith(
            "payments/checkout: found 2 series (expected: one; sum or max puts them together)");
  }

  @Test
  void aServerThatIsNotThereIsNamed() {
    server.stop(0);

    assertThatThrownBy(() -> source(100, 2).read(query(1)))
        .isInstanceOf(SourceException.class)
        .hasMessageStartingWith(url() + ": cannot be reached: ")
        .hasMessageEndingWith("; tried 2 times");
  }

  @Test
  void aServerThatDoesNotAnswerIsGivenUp() {
    // There is no answer for it in the queue, so the server keeps silent.
    assertThatThrownBy(
            () -> new PrometheusSource(api(null, 50), usual(), retries(1), 100).read(query(1)))
        .hasMessage(url() + ": no answer within 50 ms; tried once");
  }

  @Test
  void theTokenIsReadFromItsFile(@TempDir Path directory) throws Exception {
    Path token = Files.writeString(directory.resolve("token"), "secret\n");
    answer(200, NO_SERIES);

    new PrometheusSource(api(token, 5000), usual(), retries(1), 100).read(query(1));

    assertThat(requests.get(0)).containsEntry("Authorization", "Bearer secret");
  }

  private MetricQuery query(int steps) {
    return new MetricQuery(
        Traffic.limit(100), Measure.OFFERED, new TimeRange(FROM, FROM + 60L * steps), 60);
  }

  private PrometheusSource source(int stepsPerRequest, int attempts) {
    return new PrometheusSource(api(null, 5000), usual(), retries(attempts), stepsPerRequest);
  }

  private static Queries usual() {
    return new Queries(Queries.OFFERED, Queries.DROPPED, Queries.WOULD_DROP, "");
  }

  private Retries retries(int attempts) {
    return new Retries(attempts, pauses::add, () -> 0.5);
  }

  private PrometheusApi api(Path token, int timeoutMillis) {
    return new PrometheusApi(
        HttpClient.newHttpClient(), URI.create(url()), Duration.ofMillis(timeoutMillis), token);
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void answer(int status, String body) {
    answers.add(new Answer(status, body, Map.of()));
  }

  private static String series(Object... timesAndValues) {
    StringBuilder samples = new StringBuilder();
    for (int i = 0; i < timesAndValues.length; i += 2) {
      samples.append(samples.isEmpty() ? "" : ",");
      samples.append("[%s,\"%s\"]".formatted(timesAndValues[i], timesAndValues[i + 1]));
    }
    return "{\"metric\":{\"a\":\"b\"},\"values\":[" + samples + "]}";
  }

  private static String matrix(String... series) {
    return "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["
        + String.join(",", series)
        + "]}}";
  }

  private void handle(HttpExchange exchange) throws IOException {
    Map<String, String> request = new HashMap<>();
    for (String pair : new String(exchange.getRequestBody().readAllBytes(), UTF_8).split("&", -1)) {
      String[] parts = pair.split("=", 2);
      request.put(parts[0], URLDecoder.decode(parts[1], UTF_8));
    }
    request.put(
        "Authorization", String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
    requests.add(request);
    Answer answer = answers.poll();
    if (answer == null) {
      return;
    }
    answer.headers().forEach(exchange.getResponseHeaders()::add);
    byte[] body = answer.body().getBytes(UTF_8);
    exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
