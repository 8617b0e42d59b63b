package io.headgate.keyed.ring.peer;

import io.grpc.Status;
import io.headgate.protocol.gubernator.RateLimitResp;

/** Where answers of peers go: each to the place of its request. Called on threads of gRPC. */
public interface Replies {

  /** The answer to the request at a place. */
  void answered(int place, RateLimitResp response);

  /** There is no answer to the request at a place. */
  void failed(int place, Status status);
}
