package io.headgate.keyed.redis;

import io.headgate.core.limit.FixedWindow;
import io.headgate.core.limit.Gcra;
import io.headgate.core.limit.LeakyBucket;
import io.headgate.core.limit.Limit;
import io.headgate.core.limit.Refill;
import io.headgate.core.limit.SlidingCounter;
import io.headgate.core.limit.SlidingLog;
import io.headgate.core.limit.TokenBucket;
import io.headgate.keyed.Hit;
import io.headgate.keyed.NamedLimit;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How a limit is asked for in Redis: a script and the numbers it takes.
 *
 * @param numbers the arguments that follow from the limit
 */
record ScriptCall(Script script, List<String> numbers) {

  /** Above this, Lua's numbers are not exact. */
  private static final BigInteger MAX_EXACT = BigInteger.valueOf((1L << 53) - 1);

  /**
   * @throws IllegalArgumentException if Redis cannot count this limit exactly; the message says why
   */
  static ScriptCall of(NamedLimit named, Scripts scripts) {
    Limit limit = named.limit();
    if (limit instanceof TokenBucket bucket && bucket.refill() == Refill.GREEDY) {
      return flow(
          named, scripts, bucket.refillTokens(), bucket.refillPeriod(), bucket.initialTokens());
    } else if (limit instanceof LeakyBucket bucket) {
      return flow(named, scripts, bucket.leak(), bucket.period(), bucket.capacity());
    } else if (limit instanceof Gcra gcra) {
      return flow(named, scripts, gcra.permits(), gcra.period(), gcra.limit());
    } else if (limit instanceof FixedWindow window) {
      return window(named, scripts.fixedWindow(), window.window());
    } else if (limit instanceof SlidingCounter counter) {
      long micros = micros(named, counter.window());
      requireExact(named, "limit times window", counter.limit(), micros);
      return window(named, scripts.slidingCounter(), counter.window());
    } else if (limit instanceof SlidingLog log) {
      return window(named, scripts.slidingLog(), log.window());
    }
    throw new IllegalArgumentException(
        named.name()
            + ": "
            + limit
            + " (expected in Redis: a greedy token bucket, leaky bucket, GCRA, fixed window,"
            + " sliding counter or sliding log)");
  }

  /** The braces keep all limits of a key in one slot of a cluster. */
  static String key(String prefix, Hit hit) {
    return prefix + "{" + encoded(hit.key()) + "}:" + hit.limit().name();
  }

  /** Adds to the arguments of the script that decides on several limits. */
  void take(Hit hit, List<String> joint) {
    String[] own = take(hit);
    joint.add(script.name());
    joint.add(hit.limit().shadow() ? "0" : "1");
    joint.add(Integer.toString(own.length));
    joint.addAll(List.of(own));
  }

  String[] take(Hit hit) {
    return arguments("take", hit, "0");
  }

  String[] refund(Hit hit, long stamp) {
    return arguments("refund", hit, Long.toString(stamp));
  }

  String[] restore(Hit hit) {
    return arguments("restore", hit, "0");
  }

  private String[] arguments(String operation, Hit hit, String stamp) {
    List<String> arguments = new ArrayList<>(5 + numbers.size());
    arguments.add(operation);
    arguments.add(Long.toString(hit.cost()));
    arguments.add(hit.limit().inheritance().name());
    arguments.add(stamp);
    arguments.add(Long.toString(hit.limit().limit().limit()));
    arguments.addAll(numbers);
    return arguments.toArray(String[]::new);
  }

  private static ScriptCall flow(
      NamedLimit named, Scripts scripts, long permits, Duration period, long initial) {
    BigInteger rate = BigInteger.valueOf(permits);
    BigInteger size = BigInteger.valueOf(micros(named, period));
    BigInteger divisor = rate.gcd(size);
    rate = rate.divide(divisor);
    size = size.divide(divisor);
    long capacity = named.limit().limit();
    requireExact(named, "capacity times microseconds a permit", capacity, size.longValueExact());
    return new ScriptCall(
        scripts.flow(), List.of(size.toString(), rate.toString(), Long.toString(initial)));
  }

  private static ScriptCall window(NamedLimit named, Script script, Duration window) {
    return new ScriptCall(script, List.of(Long.toString(micros(named, window))));
  }

  private static long micros(NamedLimit named, Duration time) {
    long micros = time.toNanos() / 1000;
    if (micros == 0 || micros * 1000 != time.toNanos()) {
      throw new IllegalArgumentException(
          named.name() + ": " + time + " (expected in Redis: whole microseconds)");
    }
    return micros;
  }

  private static void requireExact(NamedLimit named, String what, long a, long b) {
    BigInteger product = BigInteger.valueOf(a).multiply(BigInteger.valueOf(b));
    if (product.compareTo(MAX_EXACT) > 0) {
      throw new IllegalArgumentException(
          named.name() + ": " + what + ": " + product + " (expected in Redis: 2^53 - 1 at most)");
    }
  }

  /** Braces choose the slot, so those of the key itself must not be seen. */
  private static String encoded(String key) {
    if (key.indexOf('{') < 0 && key.indexOf('}') < 0 && key.indexOf('%') < 0) {
      return key;
    }
    return key.replace("%", "%25").replace("{", "%7B").replace("}", "%7D");
  }
}
