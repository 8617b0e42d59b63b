package io.headgate.control.rules;

import io.headgate.control.status.FileProblem;
import io.headgate.core.rule.ServiceRules;
import java.util.List;
import java.util.Map;

/**
 * What a rule file says.
 *
 * @param name the file's name
 * @param services its services, in the order of the file; none if there is a problem, because the
 *     rest of a file with a mistake may not be what its author meant either
 * @param problems all that is wrong with it, in the order of the file
 */
public record ParsedFile(String name, List<Service> services, List<FileProblem> problems) {

  public ParsedFile {
    services = problems.isEmpty() ? List.copyOf(services) : List.of();
    problems = List.copyOf(problems);
  }

  /**
   * A service and where its name stands.
   *
   * @param rules its rules
   * @param trials how far limits on trial have come, by the name of their rule
   * @param line from 1
   * @param column from 1
   */
  public record Service(ServiceRules rules, Map<String, Trial> trials, int line, int column) {
    public Service {
      trials = Map.copyOf(trials);
    }
  }
}
