package io.headgate.server.run;

import io.grpc.ServerServiceDefinition;
import io.headgate.core.time.EventLoop;
import org.jspecify.annotations.Nullable;

/** A role in this process: a state machine on a loop of its own. */
interface RunningRole {

  /** Which it is. */
  Role role();

  /** Where its state machine lives. */
  EventLoop loop();

  /** What it serves to other tiers. */
  ServerServiceDefinition service();

  /** Begins to work; its port is open by then. */
  void start();

  /** Why it is of no use yet, in a few words; null once it is. Called on its loop. */
  @Nullable String missing();

  /** What it says of itself. Called on its loop. */
  Object status();

  /** Says goodbye to other tiers and ends; returns once that has been sent or has failed. */
  void stop();
}
