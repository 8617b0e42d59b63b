package io.headgate.keyed.ring.global;

import io.headgate.protocol.ring.v1.BatchId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which batches of admitted hits were counted. A sender has one under way at a time and numbers
 * them upwards, so that the last number says it all.
 */
public final class AdmittedBatches {

  private static final int MAX_SENDERS = 1_000; // those that left are forgotten some time

  private final Map<Long, Progress> senders =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Progress> eldest) {
          return size() > MAX_SENDERS;
        }
      };

  private static final class Progress {
    long begun;
    long counted;
  }

  /** Whether a batch is new; from then on it is not. */
  public synchronized boolean begin(BatchId id) {
    Progress progress = senders.computeIfAbsent(id.getSender(), sender -> new Progress());
    if (progress.begun >= id.getNumber()) {
      return false;
    }
    progress.begun = id.getNumber();
    return true;
  }

  /** All hits of a batch are counted. */
  public synchronized void counted(BatchId id) {
    Progress progress = senders.computeIfAbsent(id.getSender(), sender -> new Progress());
    progress.counted = Math.max(progress.counted, id.getNumber());
  }

  /** The last batch of each sender that is counted. */
  public synchronized List<BatchId> last() {
    List<BatchId> ids = new ArrayList<>();
    senders.forEach(
        (sender, progress) ->
            ids.add(BatchId.newBuilder().setSender(sender).setNumber(progress.counted).build()));
    return ids;
  }
}
