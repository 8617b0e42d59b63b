package io.headgate.agent.servlet;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Pattern;

/** Paths in the one spelling that counts. */
final class RequestPath {

  private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x1f\\x7f-\\x9f]");

  private RequestPath() {}

  /**
   * A decoded path without empty and dot segments (RFC 3986, section 5.2.4). A slash at the end
   * stays, because to most applications it makes another resource. Control characters become '?',
   * because the name of a procedure is shown on terminals.
   */
  static String normalized(String path) {
    String rooted = CONTROL.matcher(path.startsWith("/") ? path : "/" + path).replaceAll("?");
    return rooted.contains("//") || rooted.contains("/.") ? resolved(rooted) : rooted;
  }

  private static String resolved(String path) {
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
