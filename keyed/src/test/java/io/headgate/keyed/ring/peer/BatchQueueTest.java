package io.headgate.keyed.ring.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.headgate.protocol.gubernator.RateLimitReq;
import io.headgate.protocol.gubernator.RateLimitResp;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchQueueTest {

  private static final long WAIT_NANOS = 500_000;

  private final BatchQueue queue = new BatchQueue(3, WAIT_NANOS);

  private static BatchQueue.Item item(String key) {
    Replies nobody =
        new Replies() {
          @Override
          public void answered(int place, RateLimitResp response) {}

          @Override
          public void failed(int place, Status status) {}
        };
    return new BatchQueue.Item(RateLimitReq.newBuilder().setUniqueKey(key).build(), nobody, 0);
  }

  private static List<String> keys(List<BatchQueue.Item> batch) {
    return batch.stream().map(each -> each.request().getUniqueKey()).toList();
  }

  @Test
  void whatComesWhileNothingIsUnderWayLeavesAtOnce() {
    queue.add(item("a"));
    assertThat(keys(queue.takeIfIdle())).containsExactly("a");
    assertThat(queue.watchNanos()).isNegative();
  }

  @Test
  void whatComesMeanwhileIsTheNextBatch() {
    queue.add(item("a"));
    queue.takeIfIdle();
    queue.add(item("b"));
    queue.add(item("c"));
    assertThat(queue.takeIfIdle()).isNull();
    assertThat(keys(queue.answered())).containsExactly("b", "c");
    assertThat(queue.answered()).isNull();
  }

  @Test
  void aFullBatchLeavesWhateverIsUnderWay() {
    queue.add(item("a"));
    queue.takeIfIdle();
    assertThat(queue.add(item("b"))).isNull();
    assertThat(queue.add(item("c"))).isNull();
    assertThat(queue.add(item("d"))).isNull();
    assertThat(keys(queue.add(item("e")))).containsExactly("b", "c", "d");
    assertThat(queue.size()).isEqualTo(1);
  }

  @Test
  void oneLookIsWaitedForAtATime() {
    queue.add(item("a"));
    queue.takeIfIdle();
    queue.add(item("b"));
    assertThat(queue.watchNanos()).isEqualTo(WAIT_NANOS);
    queue.add(item("c"));
    assertThat(queue.watchNanos()).isNegative();
    assertThat(keys(queue.takeOverdue())).containsExactly("b", "c");
    assertThat(queue.takeOverdue()).isNull();
  }

  @Test
  void theMoreBatchesAreUnderWayTheLongerTheNextOneWaits() {
    long[] waits = new long[9];
    queue.add(item("first"));
    queue.takeIfIdle();
    for (int i = 0; i < waits.length; i++) {
      queue.add(item("late"));
      waits[i] = queue.watchNanos() / WAIT_NANOS;
      queue.takeOverdue();
    }
    assertThat(waits).containsExactly(1, 2, 4, 8, 16, 32, 32, 32, 32);
  }
}
