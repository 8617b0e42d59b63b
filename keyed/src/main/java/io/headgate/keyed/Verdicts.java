package io.headgate.keyed;

import io.headgate.core.limit.Decision;
import java.util.List;

/** Makes one answer of the answers of several limits. */
public final class Verdicts {

  private Verdicts() {}

  /**
   * The answer to a request.
   *
   * @param hits what the request wanted
   * @param decisions what each limit said, in the same order
   */
  public static KeyedDecision of(List<Hit> hits, List<Decision> decisions, boolean degraded) {
    int denying = -1;
    int tightest = 0;
    boolean shadowDenied = false;
    for (int i = 0; i < hits.size(); i++) {
      Decision decision = decisions.get(i);
      if (!decision.allowed() && hits.get(i).limit().shadow()) {
        shadowDenied = true;
      } else if (!decision.allowed() && isLonger(decision, denying, decisions)) {
        denying = i;
      }
      if (decision.remaining() < decisions.get(tightest).remaining()) {
        tightest = i;
      }
    }
    int decidedBy = denying >= 0 ? denying : tightest;
    return new KeyedDecision(
        denying < 0,
        hits.get(decidedBy).limit(),
        decisions.get(decidedBy),
        shadowDenied,
        decisions,
        degraded);
  }

  private static boolean isLonger(Decision decision, int denying, List<Decision> decisions) {
    return denying < 0 || decision.retryAfterNanos() > decisions.get(denying).retryAfterNanos();
  }
}
