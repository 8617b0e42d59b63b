package io.headgate.envoy.ratelimit.rules;

import io.headgate.control.status.FileProblem;
import io.headgate.control.yaml.Problems;
import io.headgate.control.yaml.YamlDocuments;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** From the files of a directory to rules. */
public final class RuleFiles {

  private final LimitCheck check;
  private final boolean mergesDomains;
  private final Set<String> pathKeys;

  /**
   * Says how files are read.
   *
   * @param check whether what counts can count a limit
   * @param mergesDomains whether several files may have one domain
   * @param pathKeys the keys of descriptors whose values are paths, which are cut at their query
   */
  public RuleFiles(LimitCheck check, boolean mergesDomains, Set<String> pathKeys) {
    this.check = check;
    this.mergesDomains = mergesDomains;
    this.pathKeys = Set.copyOf(pathKeys);
  }

  /** A file as it was read. */
  record Source(String name, byte[] content) {

    boolean isSame(Source other) {
      return name.equals(other.name) && Arrays.equals(content, other.content);
    }
  }

  /**
   * What files say.
   *
   * @param rules the rules; none if anything is wrong
   * @param problems all that is wrong
   * @param files how many files were read
   */
  public record Loaded(RateLimitRules rules, List<FileProblem> problems, int files) {

    public Loaded {
      problems = List.copyOf(problems);
    }

    /** Whether nothing is wrong. */
    public boolean isValid() {
      return problems.isEmpty();
    }
  }

  /** Reads the rule files of a directory, or one file. */
  public Loaded read(Path path) {
    try {
      return compile(sources(path));
    } catch (IOException e) {
      return new Loaded(RateLimitRules.NONE, List.of(unreadable(path, e)), 0);
    }
  }

  static FileProblem unreadable(Path path, IOException e) {
    String why =
        e instanceof NoSuchFileException
            ? "there is no such file or directory"
            : e instanceof NotDirectoryException
                ? "not a directory"
                : String.valueOf(e.getMessage());
    return new FileProblem(path.toString(), 1, 1, "cannot be read: " + why);
  }

  /**
   * The files that end in {@code .yaml} or {@code .yml} and are not hidden, in the order of their
   * names. Links are followed, so that a mounted ConfigMap of Kubernetes is seen.
   */
  static List<Source> sources(Path path) throws IOException {
    List<Path> paths = new ArrayList<>();
    if (Files.isRegularFile(path)) {
      paths.add(path);
    } else {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
        for (Path entry : entries) {
          String name = String.valueOf(entry.getFileName());
          if (!name.startsWith(".")
              && (name.endsWith(".yaml") || name.endsWith(".yml"))
              && Files.isRegularFile(entry)) {
            paths.add(entry);
          }
        }
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
      Collections.sort(paths);
    }
    List<Source> sources = new ArrayList<>();
    for (Path file : paths) {
      try (InputStream in = Files.newInputStream(file)) {
        byte[] content = in.readNBytes(YamlDocuments.MAX_FILE_BYTES + 1);
        sources.add(new Source(String.valueOf(file.getFileName()), content));
      }
    }
    return sources;
  }

  Loaded compile(List<Source> sources) {
    Map<String, RuleNode> domains = new HashMap<>();
    Map<String, String> fileOfDomain = new HashMap<>();
    List<FileProblem> all = new ArrayList<>();
    int limits = 0;
    for (Source source : sources) {
      Problems problems = new Problems(source.name);
      RuleFileReader reader = new RuleFileReader(problems, check);
      reader.read(
          source.content,
          (name, place) -> domain(name, place, source.name, domains, fileOfDomain, problems));
      limits += reader.limitsRead();
      all.addAll(problems.inOrder());
    }
    RateLimitRules rules =
        all.isEmpty() ? new RateLimitRules(domains, pathKeys, limits) : RateLimitRules.NONE;
    return new Loaded(rules, all, sources.size());
  }

  private @Nullable RuleNode domain(
      String name,
      Node place,
      String file,
      Map<String, RuleNode> domains,
      Map<String, String> fileOfDomain,
      Problems problems) {
    String before = fileOfDomain.putIfAbsent(name, file);
    if (before != null && !mergesDomains) {
      problems.add(
          place,
          "duplicate domain '"
              + name
              + "' (first in "
              + before
              + "; expected: one file a domain, or MERGE_DOMAIN_CONFIG=true)");
      return null;
    }
    return domains.computeIfAbsent(name, domain -> RuleNode.domain());
  }
}
