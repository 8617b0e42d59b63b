package io.headgate.server.demo.sample;

import io.headgate.core.rule.Location;
import io.headgate.core.rule.ServiceRules;
import io.headgate.server.demo.load.Flow;
import io.headgate.server.demo.load.LoadProfile;
import io.headgate.server.demo.measure.Census;
import java.util.List;
import java.util.function.Function;

/** All callers of the sample service. */
public interface Callers extends AutoCloseable {

  /** Where each of them is. */
  List<Location> locations();

  /** Whether whoever judges their calls is connected to the control plane. */
  boolean areReady();

  /** What became of their calls. */
  CallOutcomes outcomes();

  /**
   * What the rules have done to their calls until now.
   *
   * @param rules those in force
   */
  Census census(ServiceRules rules);

  /**
   * Their calls, by caller and procedure.
   *
   * @param mainLimitPerSecond the usual rate of charges, and what the rates of others are scaled to
   * @param profiles how the load of a place changes in time
   */
  List<Flow> flows(double mainLimitPerSecond, Function<Location, LoadProfile> profiles);

  @Override
  void close();
}
