package io.headgate.control.yaml;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The words that may stand in one place, and which of them somebody may have meant. */
public final class Choice {

  private final List<String> words;

  /** A choice of these words. */
  public Choice(String... words) {
    this.words = List.of(words);
  }

  /** Whether a word is one of them. */
  public boolean contains(String word) {
    return words.contains(word);
  }

  /** What to say about a word that is none of these. */
  public String expected(String found) {
    String nearest = nearest(found);
    return "(expected: " + this + (nearest == null ? ")" : "; did you mean '" + nearest + "'?)");
  }

  /** The word that {@code found} is most likely a misspelling of, or null if it is like none. */
  public @Nullable String nearest(String found) {
    String lower = found.toLowerCase(Locale.ROOT);
    String nearest = null;
    int least = Integer.MAX_VALUE;
    for (String word : words) {
      // A third of the letters may be wrong: 'limt' is like 'limit', 'per' is not like 'name'.
      if (Math.abs(word.length() - lower.length()) <= word.length() / 3) {
        int distance = distance(lower, word);
        if (distance <= Math.max(1, word.length() / 3) && distance < least) {
          nearest = word;
          least = distance;
        }
      }
    }
    return nearest;
  }

  /** Insertions, deletions, replacements and swaps of neighbours between two words. */
  private static int distance(String a, String b) {
    int[][] distance = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          distance[i][j] = i + j;
          continue;
        }
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int least = distance[i - 1][j - 1] + (same ? 0 : 1);
        least = Math.min(least, Math.min(distance[i - 1][j], distance[i][j - 1]) + 1);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          least = Math.min(least, distance[i - 2][j - 2] + 1);
        }
        distance[i][j] = least;
      }
    }
    return distance[a.length()][b.length()];
  }

  /** The words as a list for people: {@code deny or allow}. */
  @Override
  public String toString() {
    List<String> head = new ArrayList<>(words);
    String last = head.remove(head.size() - 1);
    return head.isEmpty() ? last : String.join(", ", head) + " or " + last;
  }
}
