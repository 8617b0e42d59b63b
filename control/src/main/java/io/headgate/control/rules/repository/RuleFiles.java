package io.headgate.control.rules.repository;

import io.headgate.control.rules.ParsedFile;
import io.headgate.control.rules.RuleCodec;
import io.headgate.control.rules.Trial;
import io.headgate.control.status.FileProblem;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.ServiceRules;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Rule files as they are at one moment. Their bytes are not to be changed. */
public final class RuleFiles {

  private final SortedMap<String, byte[]> contents;
  private final String revision;

  /**
   * The files of a repository.
   *
   * @param contents their bytes, by name
   */
  RuleFiles(Map<String, byte[]> contents) {
    this.contents = Collections.unmodifiableSortedMap(new TreeMap<>(contents));
    this.revision = digest(this.contents);
  }

  /** The same for equal files. */
  public String revision() {
    return revision;
  }

  /** Their bytes, by name. */
  SortedMap<String, byte[]> contents() {
    return contents;
  }

  /** What is wrong with them. */
  public List<FileProblem> problems() {
    List<FileProblem> problems = new ArrayList<>();
    parsed().forEach(file -> problems.addAll(file.problems()));
    return problems;
  }

  /** The services in files without problems. */
  public List<ServiceRules> services() {
    List<ServiceRules> services = new ArrayList<>();
    parsed().forEach(file -> file.services().forEach(each -> services.add(each.rules())));
    return services;
  }

  /** The rule of this name, or null if there is none. */
  public @Nullable Rule rule(String service, String name) {
    return services().stream()
        .filter(each -> each.service().equals(service))
        .flatMap(each -> each.rules().stream())
        .filter(rule -> rule.name().equals(name))
        .findFirst()
        .orElse(null);
  }

  /** How far limits on trial have come: by service, then by rule. */
  public Map<String, Map<String, Trial>> trials() {
    Map<String, Map<String, Trial>> trials = new TreeMap<>();
    for (ParsedFile file : parsed()) {
      file.services().forEach(each -> trials.put(each.rules().service(), each.trials()));
    }
    return trials;
  }

  private List<ParsedFile> parsed() {
    List<ParsedFile> files = new ArrayList<>();
    contents.forEach((name, content) -> files.add(RuleCodec.read(name, content)));
    return files;
  }

  /**
   * The files after edits.
   *
   * @throws InvalidEditException if an edit cannot be made
   */
  public RuleFiles edited(List<RuleEdit> edits) throws InvalidEditException {
    SortedMap<String, byte[]> after = new TreeMap<>(contents);
    for (Map.Entry<String, List<RuleEdit>> ofFile : byFile(edits).entrySet()) {
      String name = ofFile.getKey();
      byte[] content = after.get(name);
      List<RuleEdit> rest = ofFile.getValue();
      if (content == null) {
        content = newFile(rest.get(0));
        rest = rest.subList(1, rest.size());
      }
      RuleText text = new RuleText(name, content);
      for (List<RuleEdit> pass : passes(rest)) {
        text = text.apply(pass);
      }
      requireValid(name, text.bytes());
      after.put(name, text.bytes());
    }
    return new RuleFiles(after);
  }

  /** The edits by the name of the file that they are to be made in, in their order. */
  private SortedMap<String, List<RuleEdit>> byFile(List<RuleEdit> edits)
      throws InvalidEditException {
    Map<String, String> files = new HashMap<>();
    for (ParsedFile file : parsed()) {
      file.services().forEach(each -> files.putIfAbsent(each.rules().service(), file.name()));
    }
    SortedMap<String, List<RuleEdit>> byFile = new TreeMap<>();
    for (RuleEdit edit : edits) {
      String file = files.get(edit.service());
      if (file == null) {
        file = newName(edit);
        if (contents.containsKey(file) || byFile.containsKey(file)) {
          throw new InvalidEditException(
              file
                  + " is there already, without service '"
                  + edit.service()
                  + "' or with mistakes");
        }
        files.put(edit.service(), file);
      }
      byFile.computeIfAbsent(file, name -> new ArrayList<>()).add(edit);
    }
    return byFile;
  }

  private static String newName(RuleEdit edit) throws InvalidEditException {
    if (edit instanceof RuleEdit.Add) {
      return edit.service().replaceAll("[^A-Za-z0-9._-]|^\\.", "-") + ".yaml";
    }
    throw new InvalidEditException(
        "service '" + edit.service() + "': no file without mistakes has it");
  }

  /**
   * Edits of one file that can be made at the same time: of each rule one, and a rule that is added
   * by itself. Each pass reads the file once.
   */
  private static List<List<RuleEdit>> passes(List<RuleEdit> edits) {
    List<List<RuleEdit>> passes = new ArrayList<>();
    Map<String, Integer> lastPass = new HashMap<>();
    int first = 0; // no edit comes before a rule that was added before it
    for (RuleEdit edit : edits) {
      boolean added = edit instanceof RuleEdit.Add;
      String rule = edit.service() + "|" + edit.rule(); // a name holds no '|'
      Integer last = lastPass.get(rule);
      int pass = added ? passes.size() : Math.max(first, last == null ? 0 : last + 1);
      while (passes.size() <= pass) {
        passes.add(new ArrayList<>());
      }
      passes.get(pass).add(edit);
      lastPass.put(rule, pass);
      if (added) {
        first = pass + 1;
      }
    }
    return passes;
  }

  private static byte[] newFile(RuleEdit edit) throws InvalidEditException {
    if (edit instanceof RuleEdit.Add add) {
      return RuleCodec.write(List.of(new ServiceRules(add.service(), List.of(add.added()))))
          .getBytes(StandardCharsets.UTF_8);
    }
    throw new InvalidEditException("service '" + edit.service() + "' is not there");
  }

  /** Edits that make a file invalid are a mistake of this program, and must not get out. */
  private static void requireValid(String name, byte[] content) throws InvalidEditException {
    List<FileProblem> problems = RuleCodec.read(name, content).problems();
    if (!problems.isEmpty()) {
      throw new InvalidEditException("edits would make a mistake: " + problems.get(0));
    }
  }

  /** The files that are other ones here than before, by name; empty bytes never mean deletion. */
  SortedMap<String, byte[]> changedSince(RuleFiles before) {
    SortedMap<String, byte[]> changed = new TreeMap<>();
    contents.forEach(
        (name, content) -> {
          if (!Arrays.equals(content, before.contents.get(name))) {
            changed.put(name, content);
          }
        });
    return changed;
  }

  private static String digest(SortedMap<String, byte[]> contents) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      contents.forEach(
          (name, content) -> {
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            digest.update(
                ByteBuffer.allocate(8).putInt(bytes.length).putInt(content.length).flip());
            digest.update(bytes);
            digest.update(content);
          });
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
