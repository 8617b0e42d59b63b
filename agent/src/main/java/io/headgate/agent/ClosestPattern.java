package io.headgate.agent;

import io.headgate.core.rule.NamePattern;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Sorts names into as many classes as there are patterns: two names with the same closest pattern
 * match exactly the same patterns, because prefixes of one name contain one another. The closest
 * pattern's written form, taken as a name, matches them too, and stands for the class.
 */
final class ClosestPattern {

  private static final int EXACT = Integer.MAX_VALUE;

  private final Set<String> names = new HashSet<>();
  private final List<NamePattern> prefixes;

  ClosestPattern(Collection<NamePattern> patterns) {
    for (NamePattern pattern : patterns) {
      if (pattern.specificity() == EXACT) {
        names.add(pattern.toString());
      }
    }
    prefixes =
        patterns.stream()
            .filter(pattern -> pattern.specificity() != EXACT && !pattern.isAny())
            .distinct()
            .sorted(Comparator.comparingInt(NamePattern::specificity).reversed())
            .toList();
  }

  /** The written form of the closest pattern that matches {@code name}; {@code *} if none does. */
  String of(String name) {
    if (names.contains(name)) {
      return name;
    }
    for (NamePattern prefix : prefixes) {
      if (prefix.matches(name)) {
        return prefix.toString();
      }
    }
    return NamePattern.any().toString();
  }
}
