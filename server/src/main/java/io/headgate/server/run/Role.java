package io.headgate.server.run;

import java.util.Locale;

/** What a server process does. */
public enum Role {
  /** Takes the reports of a zone's agents, sums them, and hands rules and directives down. */
  AGGREGATOR,
  /** Holds the rules of a region and turns demand into directives. */
  CONTROLLER,
  /** Has Envoy proxies take part: takes what they count and pushes what they are to drop. */
  ENVOY,
  /** Computes limits from weeks of real traffic, and writes them to the rules. */
  CONFIGURATOR;

  /** As it is written on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
