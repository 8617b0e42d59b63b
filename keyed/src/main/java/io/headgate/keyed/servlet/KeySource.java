package io.headgate.keyed.servlet;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** Where the key of a request comes from. */
@FunctionalInterface
public interface KeySource {

  /**
   * The key of a request, or null if it has none; all requests without one are counted together.
   */
  @Nullable String key(HttpServletRequest request);

  /** One key for all requests. */
  static KeySource everyone() {
    return request -> "everyone";
  }

  /**
   * The value of a header. Anybody can send any header: take it for identity only behind a proxy
   * that sets it.
   */
  static KeySource header(String name) {
    return request -> request.getHeader(name);
  }

  /** The address of the client. */
  static KeySource address(ClientAddress address) {
    return address::of;
  }
}
