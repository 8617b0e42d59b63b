package io.headgate.server.ratelimit;

/** Where the requests of the rate limit service are counted. */
public enum Backend {
  /** In this process alone. */
  LOCAL,

  /** In Redis, for all replicas together. */
  REDIS,

  /** On the nodes of a cluster, one of which is in this process. */
  RING
}
