package io.headgate.envoy.bootstrap;

/** On which side of a call an Envoy stands. */
public enum Direction {
  /** Before the service that is called. */
  INGRESS,
  /** Behind the service that calls. */
  EGRESS
}
