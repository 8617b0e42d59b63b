package io.headgate.server.run;

/** What a server process does. */
public enum Role {
  /** Takes the reports of a zone's agents, sums them, and hands rules and directives down. */
  AGGREGATOR,
  /** Holds the rules of a region and turns demand into directives. */
  CONTROLLER;

  /** As it is written on the command line. */
  @Override
  public String toString() {
    return this == AGGREGATOR ? "aggregator" : "controller";
  }
}
