package io.headgate.control.rules;

import io.headgate.control.status.FileProblem;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.ServiceRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The rules in force, and how they change with the files.
 *
 * <p>A service belongs to the file that has it in force: until that file is gone, or is valid and
 * no longer has the service. So a file that breaks keeps its services as they were last good, and
 * another file that names the same service changes nothing. Among new files the first by name wins.
 *
 * @param inForce each service's rules and the file they belong to, by service
 * @param snapshot these rules with their version, and all problems
 */
record LoadedRules(Map<String, Held> inForce, RuleSnapshot snapshot) {

  /** Nothing has been loaded yet. */
  static final LoadedRules NONE =
      new LoadedRules(Map.of(), new RuleSnapshot(RuleSet.NONE, List.of()));

  /** A service in force. */
  record Held(String file, ParsedFile.Service service) {}

  /**
   * After the files were read.
   *
   * @param files all of them
   * @param modifiedMillis when the newest of them, or their directory, was changed; since the epoch
   */
  LoadedRules next(List<ParsedFile> files, long modifiedMillis) {
    List<ParsedFile> byName = new ArrayList<>(files);
    byName.sort(Comparator.comparing(ParsedFile::name));
    SortedMap<String, Held> held = stillHeld(byName);
    List<FileProblem> problems = new ArrayList<>();
    boolean certain = true;
    for (ParsedFile file : byName) {
      problems.addAll(file.problems());
      certain &= file.problems().isEmpty() || hasAny(file, held);
      for (ParsedFile.Service service : file.services()) {
        Held mine = new Held(file.name(), service);
        Held owner = held.putIfAbsent(service.rules().service(), mine);
        if (owner != null && !owner.file().equals(file.name())) {
          problems.add(alreadyDefined(mine, owner));
          certain = false;
        }
      }
    }
    RuleSet rules = rules(held, certain ? modifiedMillis : 1);
    return new LoadedRules(held, new RuleSnapshot(rules, problems));
  }

  /** After the files could not be read: all rules stay as they are. */
  LoadedRules unreadable(FileProblem problem) {
    return new LoadedRules(inForce, new RuleSnapshot(snapshot.rules(), List.of(problem)));
  }

  /** The services that stay with their file, as that file has them now if it is valid. */
  private SortedMap<String, Held> stillHeld(List<ParsedFile> files) {
    SortedMap<String, Held> held = new TreeMap<>();
    for (ParsedFile file : files) {
      if (file.problems().isEmpty()) {
        for (ParsedFile.Service service : file.services()) {
          if (isOwner(file, service.rules().service())) {
            held.put(service.rules().service(), new Held(file.name(), service));
          }
        }
      } else {
        inForce.forEach(
            (name, owned) -> {
              if (isOwner(file, name)) {
                held.put(name, owned);
              }
            });
      }
    }
    return held;
  }

  private boolean isOwner(ParsedFile file, String service) {
    Held owned = inForce.get(service);
    return owned != null && owned.file().equals(file.name());
  }

  private static FileProblem alreadyDefined(Held second, Held first) {
    return new FileProblem(
        second.file(),
        second.service().line(),
        second.service().column(),
        "duplicate service '%s' (first in %s:%d:%d, which stays in force)"
            .formatted(
                second.service().rules().service(),
                first.file(),
                first.service().line(),
                first.service().column()));
  }

  private static boolean hasAny(ParsedFile file, SortedMap<String, Held> held) {
    return held.values().stream().anyMatch(owned -> owned.file().equals(file.name()));
  }

  /**
   * The version is a time, so that replicas which read the same files agree and a restart does not
   * fall back. It is not the time while the rules depend on what this process has seen before: when
   * a file has been broken ever since it began, or two files name one service. Then they must not
   * go before those of a replica that has seen more.
   */
  private RuleSet rules(SortedMap<String, Held> held, long sinceMillis) {
    List<ServiceRules> services = new ArrayList<>();
    held.values().forEach(owned -> services.add(owned.service().rules()));
    RuleSet before = snapshot.rules();
    RuleSet rules = RuleSet.of(Math.max(sinceMillis, before.version() + 1), services);
    boolean unchanged = before.version() > 0 && rules.digest().equals(before.digest());
    return unchanged ? before : rules;
  }
}
