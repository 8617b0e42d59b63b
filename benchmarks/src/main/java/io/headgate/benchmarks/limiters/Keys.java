package io.headgate.benchmarks.limiters;

import java.util.concurrent.ThreadLocalRandom;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A hundred thousand keys in an order that no cache of the processor foresees. */
@State(Scope.Thread)
public class Keys {

  static final int COUNT = 100_000;
  private static final String[] ALL = new String[COUNT];

  static {
    for (int i = 0; i < COUNT; i++) {
      ALL[i] = "customer-" + i;
    }
  }

  String next() {
    return ALL[ThreadLocalRandom.current().nextInt(COUNT)];
  }

  static String[] all() {
    return ALL.clone();
  }
}
