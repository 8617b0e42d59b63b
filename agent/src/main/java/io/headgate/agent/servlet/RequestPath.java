package io.headgate.agent.servlet;

import java.util.ArrayDeque;
import java.util.Deque;

/** Paths in the one spelling that counts. */
final class RequestPath {

  private RequestPath() {}

  /**
   * A decoded path without empty and dot segments (RFC 3986, section 5.2.4). A slash at the end
   * stays, because to most applications it makes another resource.
   */
  static String normalized(String path) {
    if (!path.startsWith("/")) {
      path = "/" + path;
    }
    if (!path.contains("//") && !path.contains("/.")) {
      return path;
    }
    Deque<String> segments = new ArrayDeque<>();
    String[] parts = path.split("/", -1);
    for (String part : parts) {
      switch (part) {
        case "", "." -> {}
        case ".." -> segments.pollLast();
        default -> segments.addLast(part);
      }
    }
    String last = parts[parts.length - 1];
    boolean directory = last.isEmpty() || last.equals(".") || last.equals("..");
    return "/" + String.join("/", segments) + (directory && !segments.isEmpty() ? "/" : "");
  }
}
