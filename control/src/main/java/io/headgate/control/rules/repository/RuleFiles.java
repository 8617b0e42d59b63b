package io.headgate.control.rules.repository;

import io.headgate.control.rules.ParsedFile;
import io.headgate.control.rules.RuleCodec;
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
    Map<String, String> fileOfService = new HashMap<>();
    contents.forEach(
        (name, content) ->
            RuleCodec.read(name, content)
                .services()
                .forEach(each -> fileOfService.putIfAbsent(each.rules().service(), name)));
    SortedMap<String, List<RuleEdit>> editsOfFile = new TreeMap<>();
    for (RuleEdit edit : edits) {
      String name = fileOfService.get(edit.service());
      if (name == null) {
        name = newName(after, edit);
        after.put(name, newFile(edit));
        fileOfService.put(edit.service(), name);
      } else {
        editsOfFile.computeIfAbsent(name, file -> new ArrayList<>()).add(edit);
      }
    }
    for (Map.Entry<String, List<RuleEdit>> file : editsOfFile.entrySet()) {
      String name = file.getKey();
      byte[] content = after.getOrDefault(name, new byte[0]);
      after.put(name, new RuleText(name, content).apply(file.getValue()).bytes());
    }
    for (Map.Entry<String, byte[]> file : new RuleFiles(after).changedSince(this).entrySet()) {
      requireValid(file.getKey(), file.getValue());
    }
    return new RuleFiles(after);
  }

  private static String newName(SortedMap<String, byte[]> files, RuleEdit edit)
      throws InvalidEditException {
    if (!(edit instanceof RuleEdit.Add)) {
      throw new InvalidEditException(
          "service '" + edit.service() + "': no file without mistakes has it");
    }
    String name = edit.service().replaceAll("[^A-Za-z0-9._-]|^\\.", "-") + ".yaml";
    if (files.containsKey(name)) {
      throw new InvalidEditException(
          name + " is there already, without service '" + edit.service() + "' or with mistakes");
    }
    return name;
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
