package io.headgate.envoy.bootstrap;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * How an Envoy names procedures. It is one way for all requests of a service: if the content type
 * decided, a client could choose the bucket of its call.
 */
public enum ProcedureNaming {
  /** By the path: {@code /payments.v1.Payments/Charge}. Rules leave out the first slash. */
  GRPC("%PATH(NQ:PATH):256%"),
  /** By method and path: {@code GET /api/transfers}. */
  HTTP("%REQ(:method):16% %PATH(NQ:PATH):256%");

  private static final Pattern METHOD_AND_PATH = Pattern.compile("[!-~]+ /.*");

  /** NQ cuts the query; PATH is not the client's x-envoy-original-path. */
  private final String format;

  ProcedureNaming(String format) {
    this.format = format;
  }

  /** Envoy's command operators that give the name. */
  String format() {
    return format;
  }

  /**
   * Whether procedures of a rule's pattern can come at all by this naming. For prefixes that do not
   * tell, they can.
   */
  public boolean canName(String pattern) {
    boolean methodAndPath = METHOD_AND_PATH.matcher(pattern).matches();
    return this == GRPC ? !methodAndPath : methodAndPath || !pattern.contains("/");
  }

  /** Its written form. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The one that this is not. */
  public ProcedureNaming other() {
    return this == GRPC ? HTTP : GRPC;
  }
}
