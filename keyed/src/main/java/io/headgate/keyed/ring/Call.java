package io.headgate.keyed.ring;

import io.headgate.protocol.gubernator.RateLimitReq;
import io.headgate.protocol.gubernator.RateLimitResp;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A call with several requests, answered once all of them are. */
final class Call {

  private final List<RateLimitReq> requests;
  private final RateLimitResp[] answers;
  private final AtomicInteger open;
  private final Consumer<List<RateLimitResp>> done;

  Call(List<RateLimitReq> requests, Consumer<List<RateLimitResp>> done) {
    this.requests = requests;
    this.done = done;
    answers = new RateLimitResp[requests.size()];
    open = new AtomicInteger(requests.size() + 1); // one for whoever gives out the requests
  }

  RateLimitReq request(int place) {
    return requests.get(place);
  }

  int size() {
    return answers.length;
  }

  /** Answers a request; each once. */
  void answer(int place, RateLimitResp response) {
    answers[place] = response;
    close(1);
  }

  /**
   * Answers a request on the thread that gives them out, which {@link #close closes} what it
   * answered at the end.
   */
  void answerHere(int place, RateLimitResp response) {
    answers[place] = response;
  }

  void close(int count) {
    // The count orders: whoever brings it to zero sees what all others have written.
    if (open.addAndGet(-count) == 0) {
      done.accept(Arrays.asList(answers));
    }
  }
}
