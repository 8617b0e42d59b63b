package io.headgate.core.limit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One decision on several limiters, all or nothing and in one step: nobody ever sees permits gone
 * that a refused request wanted.
 */
public final class JointDecision {

  /*
   * Two phases: all limiters are held, then asked, then charged or not, then released. Deadlocks
   * cannot arise since all callers hold in the same order.
   */

  /**
   * What is wanted of one limiter.
   *
   * @param cost permits, 0 or more; 0 asks whether a permit is there and takes none
   * @param enforced whether its denial refuses the request; if not, it is charged if it can be
   */
  public record Wish(Limiter limiter, long cost, boolean enforced) {

    /**
     * @throws IllegalArgumentException if the cost is negative
     */
    public Wish {
      if (cost < 0) {
        throw new IllegalArgumentException("cost: " + cost + " (expected: 0 or more)");
      }
    }
  }

  private JointDecision() {}

  /**
   * Takes all that is wanted, or nothing if a limiter that is enforced denies its part.
   *
   * @param wishes for different limiters, in an order that all callers share: two that want
   *     limiters a and b must name them in the same order
   * @return what each limiter said, in the order of the wishes; null if one of them is retired, and
   *     then nothing was taken
   */
  public static @Nullable List<Decision> acquire(List<Wish> wishes, long nowNanos) {
    long[] answers = new long[wishes.size()];
    int held = 0;
    try {
      while (held < wishes.size()) {
        if (!wishes.get(held).limiter.hold()) {
          return null;
        }
        held++;
      }
      if (look(wishes, answers, nowNanos)) {
        take(wishes, answers, nowNanos);
      }
    } finally {
      for (int i = 0; i < held; i++) {
        wishes.get(i).limiter.release();
      }
    }
    List<Decision> decisions = new ArrayList<>(answers.length);
    for (int i = 0; i < answers.length; i++) {
      decisions.add(wishes.get(i).limiter.decision(answers[i], nowNanos));
    }
    return decisions;
  }

  /** Asks all; whether none refuses. */
  private static boolean look(List<Wish> wishes, long[] answers, long nowNanos) {
    boolean granted = true;
    for (int i = 0; i < answers.length; i++) {
      Wish wish = wishes.get(i);
      answers[i] =
          wish.cost > wish.limiter.limit().limit()
              ? Limiter.HOPELESS
              : wish.limiter.look(wish.cost, nowNanos);
      granted &= answers[i] >= 0 || !wish.enforced;
    }
    return granted;
  }

  private static void take(List<Wish> wishes, long[] answers, long nowNanos) {
    for (int i = 0; i < answers.length; i++) {
      Wish wish = wishes.get(i);
      if (answers[i] >= 0 && wish.cost > 0) {
        wish.limiter.takeHeld(wish.cost, nowNanos);
      }
    }
  }
}
