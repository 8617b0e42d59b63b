package io.headgate.keyed.servlet;

import io.headgate.keyed.NamedLimit;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Which requests meet a limit, and by which key. */
public final class RequestPolicy {

  private final NamedLimit limit;
  private final Set<String> methods;
  private final PathPattern path;
  private final KeySource key;

  private RequestPolicy(NamedLimit limit, Set<String> methods, PathPattern path, KeySource key) {
    this.limit = limit;
    this.methods = methods;
    this.path = path;
    this.key = key;
  }

  /**
   * A policy.
   *
   * @param methods HTTP methods; none stands for all
   * @param path {@code /api/transfers}, with {@code *} for one segment and a last {@code **} for
   *     any number of them
   * @throws IllegalArgumentException if the path is no such pattern
   */
  public static RequestPolicy of(
      NamedLimit limit, Set<String> methods, String path, KeySource key) {
    return new RequestPolicy(
        limit,
        methods.stream()
            .map(method -> method.toUpperCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet()),
        new PathPattern(path),
        key);
  }

  NamedLimit limit() {
    return limit;
  }

  boolean matches(String method, String requestPath) {
    return (methods.isEmpty() || methods.contains(method)) && path.matches(requestPath);
  }

  String keyOf(HttpServletRequest request) {
    String found = key.key(request);
    return found == null ? "" : found;
  }
}
