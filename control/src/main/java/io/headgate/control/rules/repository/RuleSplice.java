package io.headgate.control.rules.repository;

import java.util.Comparator;
import java.util.List;

/**
 * Other characters in the place of some.
 *
 * @param from the first character that goes
 * @param to the one after the last that goes
 * @param by what comes in their place
 */
record RuleSplice(int from, int to, String by) {

  /** Makes all of them in a text. They must not overlap. */
  static int[] all(int[] text, List<RuleSplice> splices) {
    List<RuleSplice> inOrder =
        splices.stream()
            .sorted(Comparator.comparingInt(RuleSplice::from).thenComparingInt(RuleSplice::to))
            .toList();
    StringBuilder after = new StringBuilder(text.length);
    int done = 0;
    for (RuleSplice splice : inOrder) {
      after.append(new String(text, done, splice.from - done)).append(splice.by);
      done = splice.to;
    }
    return after.append(new String(text, done, text.length - done)).codePoints().toArray();
  }
}
