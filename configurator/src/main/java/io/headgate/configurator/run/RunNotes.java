package io.headgate.configurator.run;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What runs tell those after them, through the repository, so that servers that take turns and
 * those that were started again go on where others were.
 *
 * @param revision the {@linkplain io.headgate.control.rules.repository.RuleFiles#revision()
 *     revision} of the rules for which limits are computed; another one is somebody else's
 * @param all when all limits were computed last; null for never
 * @param last when all limits, or those with drift, were; null for never
 * @param checked when somebody looked for drift last; null for never
 * @param trials when somebody looked at limits on trial last; null for never
 * @param drifted the limits that demand has gone away from, and that were computed for it
 */
public record RunNotes(
    String revision,
    @Nullable Instant all,
    @Nullable Instant last,
    @Nullable Instant checked,
    @Nullable Instant trials,
    SortedSet<String> drifted) {

  private static final String REVISION = "revision";
  private static final String ALL = "all";
  private static final String LAST = "last";
  private static final String CHECKED = "checked";
  private static final String TRIALS = "trials";
  private static final String DRIFTED = "drifted";

  /** No name of a limit has this in it. */
  private static final String BETWEEN = " | ";

  /**
   * What is in a repository's {@linkplain
   * io.headgate.control.rules.repository.RuleRepository#notes() notes}.
   */
  public static RunNotes of(Map<String, String> notes) {
    String drifted = notes.getOrDefault(DRIFTED, "");
    SortedSet<String> limits = new TreeSet<>(Arrays.asList(drifted.split(" \\| ", -1)));
    limits.remove("");
    return new RunNotes(
        notes.getOrDefault(REVISION, ""),
        time(notes.get(ALL)),
        time(notes.get(LAST)),
        time(notes.get(CHECKED)),
        time(notes.get(TRIALS)),
        limits);
  }

  private static @Nullable Instant time(@Nullable String text) {
    try {
      return text == null || text.isEmpty() ? null : Instant.parse(text);
    } catch (DateTimeParseException e) {
      return null; // torn, or changed by hand: never
    }
  }

  /** The note of whoever has changed the rules, and wants nothing computed for that. */
  public static Map<String, String> revision(String revision) {
    return Map.of(REVISION, revision);
  }

  Map<String, String> toMap() {
    Map<String, String> notes = new LinkedHashMap<>();
    notes.put(REVISION, revision);
    notes.put(ALL, text(all));
    notes.put(LAST, text(last));
    notes.put(CHECKED, text(checked));
    notes.put(TRIALS, text(trials));
    notes.put(DRIFTED, String.join(BETWEEN, drifted));
    return notes;
  }

  private static String text(@Nullable Instant time) {
    return time == null ? "" : time.toString();
  }

  RunNotes withRevision(String now) {
    return new RunNotes(now, all, last, checked, trials, drifted);
  }

  /** All limits were computed at a moment. */
  RunNotes withAll(Instant now) {
    return new RunNotes(revision, now, now, checked, trials, drifted);
  }

  /** Limits with drift were computed at a moment. */
  RunNotes withLast(Instant now) {
    return new RunNotes(revision, all, now, checked, trials, drifted);
  }

  /** Somebody looked for drift at a moment. */
  RunNotes withDrift(Instant now, Collection<String> limits) {
    return new RunNotes(revision, all, last, now, trials, new TreeSet<>(limits));
  }

  /** Somebody looked at limits on trial at a moment. */
  RunNotes withTrials(Instant now) {
    return new RunNotes(revision, all, last, checked, now, drifted);
  }
}
