package io.headgate.envoy.ratelimit.rules;

import io.headgate.core.limit.FixedWindow;
import io.headgate.core.limit.Gcra;
import io.headgate.core.limit.Limit;
import io.headgate.core.limit.SlidingCounter;
import java.util.Locale;

/** How the requests of a descriptor are counted. */
public enum Algorithm {
  /**
   * At most the limit from one boundary of the unit to the next; what envoyproxy/ratelimit does.
   */
  FIXED_WINDOW {
    @Override
    Limit limit(long requestsPerUnit, LimitUnit unit) {
      return new FixedWindow(requestsPerUnit, unit.length());
    }
  },

  /** The current window and the part of the one before that the last unit of time covers. */
  SLIDING_WINDOW {
    @Override
    Limit limit(long requestsPerUnit, LimitUnit unit) {
      return new SlidingCounter(requestsPerUnit, unit.length());
    }
  },

  /** An even flow; a key that has rested may send the requests of a whole unit at once. */
  GCRA {
    @Override
    Limit limit(long requestsPerUnit, LimitUnit unit) {
      return new Gcra(requestsPerUnit, unit.length(), requestsPerUnit - 1);
    }
  };

  abstract Limit limit(long requestsPerUnit, LimitUnit unit);

  /** As rule files write it, in lower case. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
