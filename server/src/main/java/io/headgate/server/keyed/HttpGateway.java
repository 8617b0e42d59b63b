package io.headgate.server.keyed;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.Status;
import io.headgate.keyed.ring.KeyedRing;
import io.headgate.protocol.gubernator.GetRateLimitsReq;
import io.headgate.protocol.gubernator.HealthCheckResp;
import io.headgate.protocol.gubernator.LiveCheckResp;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The API of the cluster as JSON, with the names, codes and words of the gateway that Gubernator
 * has in front of it.
 */
final class HttpGateway implements HttpService {

  /** What is read of a body before it is refused. */
  static final long MAX_BODY_BYTES = 4 * 1024 * 1024;

  private static final int MAX_MESSAGE_BYTES = 1024 * 1024;

  private static final JsonFormat.Printer PRINTER =
      JsonFormat.printer()
          .preservingProtoFieldNames()
          .includingDefaultValueFields()
          .omittingInsignificantWhitespace();
  private static final JsonFormat.Parser PARSER = JsonFormat.parser().ignoringUnknownFields();

  /** The printer writes these as if they went into a page, which makes messages hard to read. */
  private static final Pattern ESCAPED_FOR_HTML =
      Pattern.compile("(?<!\\\\)((?:\\\\\\\\)*)\\\\u00(27|3c|3e|26|3d)");

  private final KeyedRing ring;
  private final HttpMethod method;
  private final Function<AggregatedHttpRequest, CompletionStage<HttpResponse>> answer;

  private HttpGateway(
      KeyedRing ring,
      HttpMethod method,
      Function<HttpGateway, Function<AggregatedHttpRequest, CompletionStage<HttpResponse>>> how) {
    this.ring = ring;
    this.method = method;
    answer = how.apply(this);
  }

  /** {@code POST /v1/GetRateLimits}. */
  static HttpGateway rateLimits(KeyedRing ring) {
    return new HttpGateway(ring, HttpMethod.POST, gateway -> gateway::rateLimits);
  }

  /** {@code GET /v1/HealthCheck}. */
  static HttpGateway health(KeyedRing ring) {
    return new HttpGateway(ring, HttpMethod.GET, gateway -> request -> gateway.health());
  }

  /** {@code GET /v1/LiveCheck}. */
  static HttpGateway live(KeyedRing ring) {
    return new HttpGateway(
        ring,
        HttpMethod.GET,
        gateway -> request -> done(json(HttpStatus.OK, LiveCheckResp.getDefaultInstance())));
  }

  /** What is not there. */
  static HttpResponse notFound() {
    return error(HttpStatus.NOT_FOUND, Status.Code.NOT_FOUND, "Not Found");
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    if (request.method() != method) {
      return error(HttpStatus.NOT_IMPLEMENTED, Status.Code.UNIMPLEMENTED, "Method Not Allowed");
    }
    long announced = request.headers().contentLength();
    if (announced > MAX_BODY_BYTES) {
      // Read to its end, and forgotten: many clients hear no answer before they have sent all.
      return HttpResponse.of(request.subscribe().handle((read, failure) -> tooLarge(announced)));
    }
    ctx.setMaxRequestLength(MAX_BODY_BYTES);
    return HttpResponse.of(
        request
            .aggregate()
            .thenCompose(answer)
            .exceptionally(
                failure -> {
                  Throwable cause =
                      failure instanceof CompletionException && failure.getCause() != null
                          ? failure.getCause()
                          : failure;
                  return cause instanceof ContentTooLargeException
                      ? tooLarge(MAX_BODY_BYTES + 1)
                      : error(Status.fromThrowable(cause));
                }));
  }

  private CompletionStage<HttpResponse> rateLimits(AggregatedHttpRequest request) {
    GetRateLimitsReq.Builder message = GetRateLimitsReq.newBuilder();
    try {
      PARSER.merge(request.contentUtf8(), message);
    } catch (InvalidProtocolBufferException e) {
      return done(
          error(
              HttpStatus.BAD_REQUEST,
              Status.Code.INVALID_ARGUMENT,
              "malformed body: " + firstWords(e)));
    }
    GetRateLimitsReq call = message.build();
    if (call.getSerializedSize() > MAX_MESSAGE_BYTES) {
      return done(tooLarge(call.getSerializedSize()));
    }
    return ring.check(call).thenApply(response -> json(HttpStatus.OK, response));
  }

  /** What the parser found, without the names of its classes and its advice. */
  private static String firstWords(InvalidProtocolBufferException e) {
    String words = String.valueOf(e.getMessage()).split("\n", 2)[0];
    return words.replaceFirst("^[\\w.]+Exception: ", "");
  }

  private CompletionStage<HttpResponse> health() {
    HealthCheckResp response = ring.health();
    return done(
        response.getStatus().equals("healthy")
            ? json(HttpStatus.OK, response)
            : error(
                HttpStatus.SERVICE_UNAVAILABLE, Status.Code.UNAVAILABLE, response.getMessage()));
  }

  private static CompletionStage<HttpResponse> done(HttpResponse response) {
    return CompletableFuture.completedFuture(response);
  }

  private static HttpResponse tooLarge(long bytes) {
    return error(
        HttpStatus.TOO_MANY_REQUESTS,
        Status.Code.RESOURCE_EXHAUSTED,
        "grpc: received message larger than max (" + bytes + " vs. " + MAX_MESSAGE_BYTES + ")");
  }

  private static HttpResponse error(Status status) {
    HttpStatus http =
        switch (status.getCode()) {
          case OUT_OF_RANGE, INVALID_ARGUMENT -> HttpStatus.BAD_REQUEST;
          case RESOURCE_EXHAUSTED -> HttpStatus.TOO_MANY_REQUESTS;
          case UNAVAILABLE -> HttpStatus.SERVICE_UNAVAILABLE;
          case DEADLINE_EXCEEDED -> HttpStatus.GATEWAY_TIMEOUT;
          default -> HttpStatus.INTERNAL_SERVER_ERROR;
        };
    String words = status.getDescription();
    return error(http, status.getCode(), words == null ? status.getCode().name() : words);
  }

  private static HttpResponse error(HttpStatus http, Status.Code code, String message) {
    com.google.rpc.Status body =
        com.google.rpc.Status.newBuilder().setCode(code.value()).setMessage(message).build();
    return json(http, body);
  }

  private static String unescape(MatchResult escaped) {
    char c = (char) Integer.parseInt(escaped.group(2), 16);
    return Matcher.quoteReplacement(escaped.group(1) + c);
  }

  private static HttpResponse json(HttpStatus http, Message message) {
    try {
      String text = PRINTER.print(message);
      if (text.contains("\\u00")) {
        text = ESCAPED_FOR_HTML.matcher(text).replaceAll(HttpGateway::unescape);
      }
      return HttpResponse.of(http, MediaType.JSON, text.getBytes(StandardCharsets.UTF_8));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("messages of this API have a JSON form", e);
    }
  }
}
