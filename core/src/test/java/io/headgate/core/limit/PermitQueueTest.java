package io.headgate.core.limit;

import static io.headgate.core.limit.QueueOrder.OLDEST_FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A queue before a source that answers later, as one over a network does. */
class PermitQueueTest {

  private static final long SECOND = 1_000_000_000L;
  private static final String YES = "yes";
  private static final String NO = "no";

  /** Denies with a wait of a second, and answers when the test says so. */
  private static final class Remote implements PermitQueue.Source<String> {

    private final Deque<CompletableFuture<String>> asked = new ArrayDeque<>();
    private long givenBack;
    private boolean broken;

    void answer(String answer) {
      asked.remove().complete(answer);
    }

    @Override
    public CompletionStage<String> ask(long cost, long nowNanos) {
      if (broken) {
        throw new IllegalStateException("on purpose");
      }
      CompletableFuture<String> answer = new CompletableFuture<>();
      asked.add(answer);
      return answer;
    }

    @Override
    public String denial(long cost, long ahead, boolean closed, long nowNanos) {
      return closed ? "closed" : NO;
    }

    @Override
    public boolean isGrant(String answer) {
      return answer.equals(YES);
    }

    @Override
    public long retryAfterNanos(String denial) {
      return denial.equals(NO) ? SECOND : Decision.NEVER;
    }

    @Override
    public void giveBack(String grant, long cost, long askedAtNanos) {
      givenBack += cost;
    }
  }

  private final ManualLoop loop = new ManualLoop();
  private final Remote remote = new Remote();
  private final PermitQueue<String> queue = new PermitQueue<>(remote, 10, OLDEST_FIRST, loop);

  private CompletableFuture<String> waiter(long timeout) {
    CompletableFuture<String> waiter = queue.acquireAsync(1, timeout);
    if (!remote.asked.isEmpty()) {
      remote.answer(NO);
    }
    return waiter;
  }

  @Test
  void whoIsFirstIsAskedForAgainAfterItsWaitAndNobodyElse() {
    CompletableFuture<String> first = waiter(5 * SECOND);
    CompletableFuture<String> second = waiter(5 * SECOND);
    loop.advance(SECOND - 1);
    assertThat(remote.asked).isEmpty();
    loop.advance(1);
    assertThat(remote.asked).hasSize(1);
    loop.advance(SECOND / 2);
    assertThat(remote.asked).hasSize(1);

    remote.answer(YES);
    assertThat(first).isCompletedWithValue(YES);
    assertThat(remote.asked).hasSize(1);
    remote.answer(NO);
    loop.advance(SECOND);
    remote.answer(YES);
    assertThat(second).isCompletedWithValue(YES);
    assertThat(queue.queued()).isZero();
  }

  @Test
  void whoCancelsWhileTheAnswerIsOnItsWayGivesThePermitsBack() {
    CompletableFuture<String> direct = queue.acquireAsync(2, 0);
    direct.cancel(false);
    remote.answer(YES);
    assertThat(remote.givenBack).isEqualTo(2);

    CompletableFuture<String> waiter = waiter(5 * SECOND);
    loop.advance(SECOND);
    waiter.cancel(false);
    remote.answer(YES);
    assertThat(remote.givenBack).isEqualTo(3);
    assertThat(queue.queued()).isZero();
  }

  @Test
  void whoseTimeIsOverWhileTheAnswerIsOnItsWayGivesThePermitsBack() {
    CompletableFuture<String> waiter = waiter(SECOND + 5);
    loop.advance(2 * SECOND);
    assertThat(waiter).isCompletedWithValue(NO);
    remote.answer(YES);
    assertThat(remote.givenBack).isEqualTo(1);
  }

  @Test
  void whoIsAskedForWhileOthersBeginToWaitGoesBehindThem() {
    CompletableFuture<String> slow = queue.acquireAsync(1, 5 * SECOND);
    CompletableFuture<String> quick = queue.acquireAsync(1, 5 * SECOND);
    CompletableFuture<String> slowAnswer = remote.asked.remove();
    remote.answer(NO);
    slowAnswer.complete(NO);
    loop.advance(SECOND);
    remote.answer(YES);
    assertThat(quick).isCompletedWithValue(YES);
    assertThat(slow).isNotDone();
  }

  @Test
  void aSourceThatFailsFailsTheRequestAndNotTheQueue() {
    CompletableFuture<String> first = waiter(5 * SECOND);
    CompletableFuture<String> second = waiter(5 * SECOND);
    loop.advance(SECOND);
    remote.asked.remove().completeExceptionally(new IllegalStateException("on purpose"));
    assertThat(first).isCompletedExceptionally();
    remote.answer(YES);
    assertThat(second).isCompletedWithValue(YES);
  }

  @Test
  void whatASourceThrowsFailsTheRequestAndNotTheQueue() {
    CompletableFuture<String> first = waiter(5 * SECOND);
    remote.broken = true;
    loop.advance(SECOND);
    assertThat(first).isCompletedExceptionally();
    assertThat(queue.acquireAsync(1, SECOND)).isCompletedExceptionally();
    remote.broken = false;
    CompletableFuture<String> next = queue.acquireAsync(1, SECOND);
    remote.answer(YES);
    assertThat(next).isCompletedWithValue(YES);
  }
}
