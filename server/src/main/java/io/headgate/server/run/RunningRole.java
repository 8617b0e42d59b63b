package io.headgate.server.run;

import io.grpc.ServerServiceDefinition;
import io.headgate.core.time.EventLoop;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A role in this process: a state machine on a loop of its own. Used from any thread. */
interface RunningRole {

  /** Which it is. */
  Role role();

  /** Where its state machine lives. */
  EventLoop loop();

  /** What it serves to other tiers. */
  List<ServerServiceDefinition> services();

  /** Begins to work; its port is open by then. */
  void start();

  /** Why it is of no use yet, in a few words; empty once it is. */
  String missing();

  /** What it says of itself. */
  CompletableFuture<?> status();

  /** Says goodbye to other tiers and ends its loop. */
  void stop();
}
