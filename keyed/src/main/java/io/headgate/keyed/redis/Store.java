package io.headgate.keyed.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** Runs scripts where the counts are. */
interface Store extends AutoCloseable {

  /** Runs a script on one key; fails if the store cannot be reached or the script fails. */
  CompletionStage<List<Long>> run(Script script, String key, String[] arguments);

  @Override
  void close();
}
