package io.headgate.configurator.policy;

import io.headgate.configurator.parameters.Parameters;

/** Makes policies of one kind. Found by {@link java.util.ServiceLoader}. */
public interface PolicyFactory {

  /** The word by which it is chosen: {@code policy: { name: WORD }}. */
  String name();

  /**
   * A policy with these parameters. It is used only if no problem was found in them; a parameter
   * that it does not ask for is one.
   */
  LimitPolicy create(Parameters parameters);
}
