package io.headgate.envoy.ratelimit;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A request of Envoy's filter as JSON, and its answer. */
public final class RateLimitJson {

  private static final JsonFormat.Printer PRINTER =
      JsonFormat.printer().omittingInsignificantWhitespace();
  private final RateLimitService service;

  /** Asks a service. */
  public RateLimitJson(RateLimitService service) {
    this.service = service;
  }

  /** What became of a request. */
  public enum Outcome {
    /** It may go on. */
    OK,
    /** It may not. */
    OVER_LIMIT,
    /** It is no request. */
    MALFORMED,
    /** It cannot be decided on. */
    FAILED
  }

  /**
   * An answer.
   *
   * @param outcome what became of the request
   * @param body the answer as JSON, or in words what is wrong
   */
  public record Reply(Outcome outcome, String body) {}

  /** Decides on a request. */
  public CompletionStage<Reply> answer(String json) {
    RateLimitRequest request;
    try {
      request = JsonRequests.parse(json);
    } catch (InvalidProtocolBufferException e) {
      return done(Outcome.MALFORMED, "malformed body: " + firstWords(e));
    }
    try {
      return service
          .decide(request, Long.MAX_VALUE)
          .handle(
              (response, failure) ->
                  failure == null ? reply(response) : new Reply(Outcome.FAILED, "no answer"));
    } catch (RateLimitService.InvalidRequest e) {
      return done(Outcome.FAILED, String.valueOf(e.getMessage()));
    }
  }

  private static Reply reply(RateLimitResponse response) {
    boolean over = response.getOverallCode() == RateLimitResponse.Code.OVER_LIMIT;
    try {
      return new Reply(over ? Outcome.OVER_LIMIT : Outcome.OK, PRINTER.print(response));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("answers have a JSON form", e);
    }
  }

  /** What the parser found, without the names of its classes and its advice. */
  private static String firstWords(InvalidProtocolBufferException e) {
    String words = String.valueOf(e.getMessage()).split("\n", 2)[0];
    return words.replaceFirst("^[\\w.]+Exception: ", "");
  }

  private static CompletionStage<Reply> done(Outcome outcome, String words) {
    return CompletableFuture.completedFuture(new Reply(outcome, words));
  }
}
