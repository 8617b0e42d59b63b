package io.headgate.simulator.campaign;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** What a world is drawn with. */
final class Dice {

  private final RandomGenerator random;

  Dice(long seed) {
    random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
  }

  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  /** A whole number from {@code least} to {@code most}. */
  int between(int least, int most) {
    return random.nextInt(least, most + 1);
  }

  double between(double least, double most) {
    return least + upTo(most - least);
  }

  double upTo(double most) {
    return random.nextDouble() * most;
  }

  /** Such that as many are between 1 and 2 as between 2 and 4. */
  double spread(double least, double most) {
    return least * Math.pow(most / least, random.nextDouble());
  }

  @SafeVarargs
  final <T> T oneOf(T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
