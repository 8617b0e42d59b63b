package io.headgate.envoy.proxy;

import java.util.List;

/**
 * How a proxy writes a caller and a procedure. Rules and agents leave the beginnings of both out:
 * the scheme of a SPIFFE id, and the slash of a path.
 *
 * @param asUri whether the caller is written as a URI
 * @param asPath whether the procedure is written as a path
 */
record Spelling(boolean asUri, boolean asPath) {

  /** All that there are. */
  static final List<Spelling> ALL =
      List.of(
          new Spelling(false, false),
          new Spelling(false, true),
          new Spelling(true, false),
          new Spelling(true, true));

  private static final String SCHEME = "spiffe://";
  private static final String SLASH = "/";

  /** The one in which a caller and a procedure are written. */
  static Spelling of(String caller, String procedure) {
    return new Spelling(hasMore(caller, SCHEME), hasMore(procedure, SLASH));
  }

  private static boolean hasMore(String written, String beginning) {
    return written.length() > beginning.length() && written.startsWith(beginning);
  }

  /** Its place in {@link #ALL}. */
  int index() {
    return (asUri ? 2 : 0) + (asPath ? 1 : 0);
  }

  /** The caller that is written so. */
  String callerOf(String written) {
    return asUri ? written.substring(SCHEME.length()) : written;
  }

  /** The procedure that is written so. */
  String procedureOf(String written) {
    return asPath ? written.substring(SLASH.length()) : written;
  }

  /** How a caller is written. */
  String caller(String caller) {
    return asUri ? SCHEME + caller : caller;
  }

  /** How a procedure is written. */
  String procedure(String procedure) {
    return asPath ? SLASH + procedure : procedure;
  }
}
