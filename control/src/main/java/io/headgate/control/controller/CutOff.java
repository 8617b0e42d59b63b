package io.headgate.control.controller;

import java.util.List;

/**
 * The regions that have been silent for longer than a hold.
 *
 * @param numbers their numbers
 * @param all how many regions there are, this one among them
 */
record CutOff(List<Integer> numbers, int all) {

  static final CutOff NONE = new CutOff(List.of(), 1);

  CutOff {
    numbers = List.copyOf(numbers);
  }

  boolean isNone() {
    return numbers.isEmpty();
  }

  /** How many regions are not cut off, this one among them. */
  int together() {
    return all - numbers.size();
  }
}
