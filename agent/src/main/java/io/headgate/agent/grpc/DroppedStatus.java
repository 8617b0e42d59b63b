package io.headgate.agent.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.QuotaFailure;
import com.google.rpc.RetryInfo;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import io.headgate.agent.Verdict;

/**
 * How a drop looks to the caller, in the richer error model of gRPC: {@code RESOURCE_EXHAUSTED}
 * with a {@code google.rpc.Status} in the trailers.
 *
 * @param status the status of the call
 * @param trailers its trailers; made for one call, because metadata can be changed
 */
record DroppedStatus(Status status, Metadata trailers) {

  private static final Metadata.Key<com.google.rpc.Status> DETAILS =
      Metadata.Key.of(
          "grpc-status-details-bin",
          ProtoUtils.metadataMarshaller(com.google.rpc.Status.getDefaultInstance()));

  private static final Metadata.Key<String> RETRY_PUSHBACK =
      Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);

  /** Negative: do not retry. */
  private static final String NO_RETRY = "-1";

  static DroppedStatus of(Verdict verdict) {
    String message =
        "dropped by rate limit '%s' of service '%s' (%s)"
            .formatted(verdict.rule(), verdict.service(), verdict.limit());
    Status status = Status.RESOURCE_EXHAUSTED.withDescription(message);
    Metadata trailers = new Metadata();
    trailers.put(
        DETAILS,
        com.google.rpc.Status.newBuilder()
            .setCode(status.getCode().value())
            .setMessage(message)
            .addDetails(Any.pack(retryInfo(verdict)))
            .addDetails(Any.pack(quotaFailure(verdict)))
            .build());
    return new DroppedStatus(status, trailers);
  }

  /**
   * The same, with the trailer that keeps gRPC's own retries and hedging from sending the call
   * again (gRFC A6). A delay there would do the opposite: with one, clients repeat calls whatever
   * status codes their retry policy names.
   */
  static DroppedStatus refusingRetry(Verdict verdict) {
    DroppedStatus dropped = of(verdict);
    dropped.trailers.put(RETRY_PUSHBACK, NO_RETRY);
    return dropped;
  }

  private static RetryInfo retryInfo(Verdict verdict) {
    return RetryInfo.newBuilder()
        .setRetryDelay(
            Duration.newBuilder()
                .setSeconds(verdict.retryAfter().getSeconds())
                .setNanos(verdict.retryAfter().getNano()))
        .build();
  }

  private static QuotaFailure quotaFailure(Verdict verdict) {
    return QuotaFailure.newBuilder()
        .addViolations(
            QuotaFailure.Violation.newBuilder()
                .setSubject(verdict.service() + "/" + verdict.rule())
                .setDescription("limit " + verdict.limit()))
        .build();
  }
}
