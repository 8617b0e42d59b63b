package io.headgate.agent.call;

import io.headgate.core.shed.Level;
import org.jspecify.annotations.Nullable;

/**
 * The request headers, of gRPC and HTTP alike, that a gate heeds. What does not parse counts as
 * absent: a header can make no request fail.
 */
public final class CallHeaders {

  /** Who calls, for connections without client certificates; see {@link CallerIdentity}. */
  public static final String CALLER = "x-headgate-caller";

  /** How critical the request is: 0 (shed last) to 5 (shed first). */
  public static final String CRITICALITY = "x-headgate-criticality";

  /** Attempts before this one, as gRPC's own retries count them; gRFC A6. */
  public static final String GRPC_PREVIOUS_ATTEMPTS = "grpc-previous-rpc-attempts";

  /** This attempt's number, 1 and up, as an Envoy before the service counts them. */
  public static final String ENVOY_ATTEMPT = "x-envoy-attempt-count";

  /** The criticality of a request that names none. */
  public static final int NO_CRITICALITY = -1;

  private static final int MAX_DIGITS = 9;

  private CallHeaders() {}

  /** The criticality in a {@link #CRITICALITY} header, or {@link #NO_CRITICALITY}. */
  public static int criticality(@Nullable String header) {
    int value = number(header);
    return value < Level.CLASSES ? value : NO_CRITICALITY;
  }

  /**
   * Whether the headers tell of a retry.
   *
   * @param grpcPreviousAttempts the {@link #GRPC_PREVIOUS_ATTEMPTS} header
   * @param envoyAttempt the {@link #ENVOY_ATTEMPT} header
   */
  public static boolean isRetry(
      @Nullable String grpcPreviousAttempts, @Nullable String envoyAttempt) {
    return number(grpcPreviousAttempts) > 0 || number(envoyAttempt) > 1;
  }

  /** A number of decimal digits alone, or -1. */
  private static int number(@Nullable String header) {
    if (header == null || header.isEmpty() || header.length() > MAX_DIGITS) {
      return -1;
    }
    int value = 0;
    for (int i = 0; i < header.length(); i++) {
      int digit = header.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = 10 * value + digit;
    }
    return value;
  }
}
