package io.headgate.agent.servlet;

import io.headgate.agent.Verdict;

/** The body of a refusal: a JSON problem (RFC 9457). */
final class Problem {

  static final String MEDIA_TYPE = "application/problem+json";

  /** The problem type that draft-ietf-httpapi-ratelimit-headers-11 has for this. */
  private static final String TYPE =
      "https://iana.org/assignments/http-problem-types#quota-exceeded";

  private Problem() {}

  static String json(Verdict dropped, long retryAfterSeconds) {
    return """
        {"type":"%s","title":"Rate limit exceeded","status":429,"detail":%s,\
        "violated-policies":[%s],"service":%s,"rule":%s,"retryAfterSeconds":%d}"""
        .formatted(
            TYPE,
            string(
                "Calls are above the limit of %s that rule '%s' of service '%s' sets."
                    .formatted(dropped.limit(), dropped.rule(), dropped.service())),
            string(dropped.rule()),
            string(dropped.service()),
            string(dropped.rule()),
            retryAfterSeconds);
  }

  private static String string(String text) {
    StringBuilder json = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c)) {
        // Half a surrogate pair is no character and could not be written in UTF-8.
        json.append("\\u%04x".formatted((int) c));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }
}
