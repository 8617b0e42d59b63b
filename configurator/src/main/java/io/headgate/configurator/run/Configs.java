package io.headgate.configurator.run;

import io.headgate.configurator.plan.ConfiguratorConfig;

/** The configuration as it is now. Used from one thread. */
public interface Configs extends AutoCloseable {

  /** The last one without mistakes. */
  ConfiguratorConfig current();

  /** How many mistakes a newer one has, which is not in force for them. */
  int problems();

  /** Lets go of its source. */
  @Override
  default void close() {}
}
