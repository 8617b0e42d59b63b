package io.headgate.envoy.ratelimit.rules;

/** A text in which each {@code *} stands for any characters, or none. */
record Glob(String pattern) {

  static boolean isGlob(String text) {
    return text.indexOf('*') >= 0;
  }

  /** Greedy with one place to come back to, which is enough: a later star takes all it can. */
  boolean matches(String text) {
    int p = 0;
    int t = 0;
    int star = -1;
    int resume = 0;
    while (t < text.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        resume = t;
      } else if (p < pattern.length() && pattern.charAt(p) == text.charAt(t)) {
        p++;
        t++;
      } else if (star >= 0) {
        p = star + 1;
        t = ++resume;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }
}
