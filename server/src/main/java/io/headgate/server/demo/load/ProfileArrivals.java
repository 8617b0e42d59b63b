package io.headgate.server.demo.load;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Each flow is a Poisson process of its own, at the rate that its profile has just then. */
public final class ProfileArrivals implements Arrivals {

  private record Source(Flow flow, PoissonArrivals arrivals) {}

  private final List<Source> sources = new ArrayList<>();
  private double lastSeconds;

  /** Nothing has arrived yet. */
  public ProfileArrivals(List<Flow> flows, RandomGenerator random) {
    for (Flow flow : flows) {
      sources.add(new Source(flow, new PoissonArrivals(random)));
    }
  }

  @Override
  public void advanceTo(double elapsedSeconds) {
    double seconds = elapsedSeconds - lastSeconds;
    lastSeconds = elapsedSeconds;
    for (Source source : sources) {
      Flow flow = source.flow;
      double rate = flow.perSecond() * flow.profile().factor(elapsedSeconds);
      for (int due = source.arrivals.advance(rate * seconds); due > 0; due--) {
        flow.call().run();
      }
    }
  }
}
