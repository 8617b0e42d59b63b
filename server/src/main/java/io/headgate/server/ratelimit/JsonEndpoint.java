package io.headgate.server.ratelimit;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.headgate.envoy.ratelimit.RateLimitService;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;

/**
 * {@code POST /json}: a request of Envoy's filter as JSON. 200 if it may go on and 429 if not, both
 * with the answer; 400 for a body that is no request, 500 for one that cannot be decided on.
 */
final class JsonEndpoint implements HttpService {

  private static final JsonFormat.Printer PRINTER =
      JsonFormat.printer().omittingInsignificantWhitespace();
  private static final JsonFormat.Parser PARSER = JsonFormat.parser();

  private final RateLimitService service;

  JsonEndpoint(RateLimitService service) {
    this.service = service;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    if (request.method() != HttpMethod.POST) {
      return text(HttpStatus.METHOD_NOT_ALLOWED, request.method() + " (expected: POST)");
    }
    return HttpResponse.of(request.aggregate().thenCompose(this::answer));
  }

  private CompletionStage<HttpResponse> answer(AggregatedHttpRequest request) {
    RateLimitRequest.Builder message = RateLimitRequest.newBuilder();
    try {
      PARSER.merge(request.contentUtf8(), message);
    } catch (InvalidProtocolBufferException e) {
      return done(text(HttpStatus.BAD_REQUEST, "malformed body: " + firstWords(e)));
    }
    try {
      return service
          .decide(message.build(), Long.MAX_VALUE)
          .handle(
              (response, failure) ->
                  failure == null
                      ? json(response)
                      : text(HttpStatus.INTERNAL_SERVER_ERROR, "no answer"));
    } catch (RateLimitService.InvalidRequest e) {
      return done(text(HttpStatus.INTERNAL_SERVER_ERROR, String.valueOf(e.getMessage())));
    }
  }

  private static HttpResponse json(RateLimitResponse response) {
    boolean over = response.getOverallCode() == RateLimitResponse.Code.OVER_LIMIT;
    try {
      return HttpResponse.of(
          over ? HttpStatus.TOO_MANY_REQUESTS : HttpStatus.OK,
          MediaType.JSON,
          PRINTER.print(response).getBytes(StandardCharsets.UTF_8));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("answers have a JSON form", e);
    }
  }

  /** What the parser found, without the names of its classes and its advice. */
  private static String firstWords(InvalidProtocolBufferException e) {
    String words = String.valueOf(e.getMessage()).split("\n", 2)[0];
    return words.replaceFirst("^[\\w.]+Exception: ", "");
  }

  private static CompletionStage<HttpResponse> done(HttpResponse response) {
    return java.util.concurrent.CompletableFuture.completedFuture(response);
  }

  private static HttpResponse text(HttpStatus status, String line) {
    return HttpResponse.of(status, MediaType.PLAIN_TEXT_UTF_8, line + "\n");
  }
}
