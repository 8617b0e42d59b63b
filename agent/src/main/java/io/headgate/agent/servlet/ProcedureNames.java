package io.headgate.agent.servlet;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Names the procedure of a request, as rules have it. An application whose paths hold identifiers
 * should name its routes instead, such as {@code GET /api/transfers/{id}}, because each distinct
 * name takes up one of the agent's gates.
 */
@FunctionalInterface
public interface ProcedureNames {

  /** The procedure of a request, such as {@code GET /api/transfers}. */
  String procedure(HttpServletRequest request);

  /**
   * The method and the path without its query: {@code GET /api/transfers}. The path is the one that
   * the container matched: with the context path, decoded, without path parameters such as {@code
   * ;jsessionid}. Empty segments and dot segments are taken out, so that no spelling of a path has
   * a limit of its own.
   */
  static ProcedureNames methodAndPath() {
    return request -> {
      String path = request.getContextPath() + request.getServletPath();
      String info = request.getPathInfo();
      return request.getMethod() + " " + RequestPath.normalized(info == null ? path : path + info);
    };
  }
}
