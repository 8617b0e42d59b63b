package io.headgate.server.ratelimit;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.headgate.envoy.ratelimit.RateLimitJson;
import io.headgate.envoy.ratelimit.RateLimitService;

/**
 * {@code POST /json}: a request of Envoy's filter as JSON. 200 if it may go on and 429 if not, both
 * with the answer; 400 for a body that is no request, 500 for one that cannot be decided on.
 */
final class JsonEndpoint implements HttpService {

  private final RateLimitJson json;

  JsonEndpoint(RateLimitService service) {
    json = new RateLimitJson(service);
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    if (request.method() != HttpMethod.POST) {
      return text(HttpStatus.METHOD_NOT_ALLOWED, request.method() + " (expected: POST)");
    }
    return HttpResponse.of(
        request
            .aggregate()
            .thenCompose(whole -> json.answer(whole.contentUtf8()))
            .thenApply(JsonEndpoint::response));
  }

  private static HttpResponse response(RateLimitJson.Reply reply) {
    return switch (reply.outcome()) {
      case OK -> HttpResponse.of(HttpStatus.OK, MediaType.JSON, reply.body());
      case OVER_LIMIT ->
          HttpResponse.of(HttpStatus.TOO_MANY_REQUESTS, MediaType.JSON, reply.body());
      case MALFORMED -> text(HttpStatus.BAD_REQUEST, reply.body());
      case FAILED -> text(HttpStatus.INTERNAL_SERVER_ERROR, reply.body());
    };
  }

  private static HttpResponse text(HttpStatus status, String line) {
    return HttpResponse.of(status, MediaType.PLAIN_TEXT_UTF_8, line + "\n");
  }
}
