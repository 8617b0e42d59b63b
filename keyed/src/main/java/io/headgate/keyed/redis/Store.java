package io.headgate.keyed.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** Runs scripts where the counts are. */
interface Store extends AutoCloseable {

  /**
   * Runs a script on its keys, which {@link #isOnePlace} holds together; fails if the store cannot
   * be reached, does not answer in time or the script fails.
   */
  CompletionStage<List<Long>> run(Script script, List<String> keys, String[] arguments);

  /** Whether one script can have all of these keys. */
  boolean isOnePlace(List<String> keys);

  @Override
  void close();
}
