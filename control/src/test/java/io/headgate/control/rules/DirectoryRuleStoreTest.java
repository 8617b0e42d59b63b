package io.headgate.control.rules;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.APPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.control.status.FileProblem;
import io.headgate.core.rule.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryRuleStoreTest {

  @TempDir private Path root;
  private Path directory;
  private DirectoryRuleStore store;

  @BeforeEach
  void createDirectory() throws IOException {
    directory = Files.createDirectory(root.resolve("rules"));
  }

  @AfterEach
  void closeStore() {
    if (store != null) {
      store.close();
    }
  }

  @Test
  void hasReadTheFilesWhenItIsOpen() throws IOException {
    write("payments.yaml", 10);
    Files.setLastModifiedTime(directory, FileTime.fromMillis(1_000));
    Files.setLastModifiedTime(directory.resolve("payments.yaml"), FileTime.fromMillis(2_000));

    open();

    assertThat(limit("payments")).isEqualTo(10);
    assertThat(store.current().rules().version()).isEqualTo(2_000);
    assertThat(store.current().problems()).isEmpty();
  }

  @Test
  void readsYamlFilesOnlyAndNoHiddenOnesAndNoSubDirectories() throws IOException {
    write("a.yaml", 1);
    write("b.yml", 2);
    write(".c.yaml", 3);
    write("d.yaml~", 4);
    write("e.txt", 5);
    Files.createDirectory(directory.resolve("f.yaml"));
    write("f.yaml/g.yaml", 6);

    open();

    assertThat(store.current().rules().services()).containsOnlyKeys("a", "b");
    assertThat(store.current().problems()).isEmpty();
  }

  @Test
  void seesAFileThatIsWrittenInPlace() throws IOException {
    write("payments.yaml", 10);
    open();

    write("payments.yaml", 20);

    soon().untilAsserted(() -> assertThat(limit("payments")).isEqualTo(20));
  }

  @Test
  void seesAFileThatIsRenamedIntoPlace() throws IOException {
    write("payments.yaml", 10);
    open();

    write(".payments.yaml.swp", "payments", 20);
    Files.move(
        directory.resolve(".payments.yaml.swp"), directory.resolve("payments.yaml"), ATOMIC_MOVE);

    soon().untilAsserted(() -> assertThat(limit("payments")).isEqualTo(20));
  }

  /** The way in which Kubernetes changes a mounted ConfigMap. */
  @Test
  void seesTheLinkSwapOfAConfigMap() throws IOException {
    Files.createDirectory(directory.resolve("..1"));
    Files.createDirectory(directory.resolve("..2"));
    write("..1/payments.yaml", "payments", 10);
    write("..2/payments.yaml", "payments", 20);
    Files.createSymbolicLink(directory.resolve("..data"), Path.of("..1"));
    Files.createSymbolicLink(directory.resolve("payments.yaml"), Path.of("..data/payments.yaml"));
    open();
    assertThat(limit("payments")).isEqualTo(10);

    Files.createSymbolicLink(directory.resolve("..data_tmp"), Path.of("..2"));
    Files.move(directory.resolve("..data_tmp"), directory.resolve("..data"), ATOMIC_MOVE);

    soon().untilAsserted(() -> assertThat(limit("payments")).isEqualTo(20));
  }

  /** Nothing tells of changes behind a link, so this is seen by looking. */
  @Test
  void seesAChangeBehindALink() throws IOException {
    Path target = root.resolve("target.yaml");
    Files.writeString(target, yaml("payments", 10));
    Files.createSymbolicLink(directory.resolve("payments.yaml"), target);
    openLooking();
    assertThat(limit("payments")).isEqualTo(10);

    Files.writeString(target, yaml("payments", 20));

    soon().untilAsserted(() -> assertThat(limit("payments")).isEqualTo(20));
  }

  @Test
  void keepsTheLastGoodRulesWhileAFileIsBroken() throws IOException {
    write("payments.yaml", 10);
    write("shipping.yaml", 30);
    open();

    Files.writeString(directory.resolve("payments.yaml"), "service: payments\nrules: [{ name\n");
    soon()
        .untilAsserted(
            () ->
                assertThat(store.current().problems())
                    .extracting(FileProblem::toString)
                    .containsExactly(
                        "payments.yaml:3:1: not valid YAML: expected ',' or '}', but got <stream"
                            + " end>, while parsing a flow mapping begun on line 2"));
    write("shipping.yaml", 40);
    soon().untilAsserted(() -> assertThat(limit("shipping")).isEqualTo(40));
    assertThat(limit("payments")).isEqualTo(10);

    write("payments.yaml", 20);
    soon().untilAsserted(() -> assertThat(limit("payments")).isEqualTo(20));
    assertThat(store.current().problems()).isEmpty();
  }

  @Test
  void keepsTheLastGoodRulesWhileAFileIsHalfWritten() throws IOException {
    write("payments.yaml", 10);
    open();
    String whole = yaml("payments", 20);

    Files.writeString(directory.resolve("payments.yaml"), whole.substring(0, 30));
    soon().untilAsserted(() -> assertThat(store.current().problems()).isNotEmpty());
    assertThat(limit("payments")).isEqualTo(10);

    Files.writeString(directory.resolve("payments.yaml"), whole.substring(30), APPEND);
    soon().untilAsserted(() -> assertThat(limit("payments")).isEqualTo(20));
  }

  @Test
  void startsWithoutTheRulesOfABrokenFileAndTakesThemOnceItIsMended() throws IOException {
    Files.writeString(directory.resolve("payments.yaml"), "");
    write("shipping.yaml", 30);
    open();
    assertThat(store.current().rules().services()).containsOnlyKeys("shipping");
    assertThat(store.current().problems())
        .extracting(FileProblem::toString)
        .containsExactly(
            "payments.yaml:1:1: the file is empty (expected: a mapping with service and rules)");

    write("payments.yaml", 10);

    soon().untilAsserted(() -> assertThat(limit("payments")).isEqualTo(10));
  }

  @Test
  void dropsTheRulesOfADeletedFile() throws IOException {
    write("payments.yaml", 10);
    open();

    Files.delete(directory.resolve("payments.yaml"));

    soon().untilAsserted(() -> assertThat(store.current().rules().services()).isEmpty());
    assertThat(store.current().problems()).isEmpty();
  }

  @Test
  void keepsTheRulesBehindALinkThatLeadsNowhere() throws IOException {
    Path target = root.resolve("target.yaml");
    Files.writeString(target, yaml("payments", 10));
    Files.createSymbolicLink(directory.resolve("payments.yaml"), target);
    openLooking();

    Files.delete(target);

    soon()
        .untilAsserted(
            () ->
                assertThat(store.current().problems())
                    .extracting(FileProblem::toString)
                    .containsExactly(
                        "payments.yaml:1:1: cannot be read: there is no such file or directory"));
    assertThat(limit("payments")).isEqualTo(10);
  }

  @Test
  void keepsAllRulesWhileTheDirectoryIsGoneAndFollowsTheOneThatTakesItsPlace() throws IOException {
    write("payments.yaml", 10);
    openLooking();

    Files.move(directory, root.resolve("away"));
    soon()
        .untilAsserted(
            () ->
                assertThat(store.current().problems())
                    .extracting(FileProblem::toString)
                    .containsExactly(
                        directory + ":1:1: cannot be read: there is no such file or directory"));
    assertThat(limit("payments")).isEqualTo(10);

    Path next = Files.createDirectory(root.resolve("next"));
    Files.writeString(next.resolve("payments.yaml"), yaml("payments", 20));
    Files.move(next, directory);
    soon().untilAsserted(() -> assertThat(limit("payments")).isEqualTo(20));
    assertThat(store.current().problems()).isEmpty();

    write("payments.yaml", 30);
    soon().untilAsserted(() -> assertThat(limit("payments")).isEqualTo(30));
  }

  @Test
  void startsWithoutRulesWhereThereIsNoDirectoryYet() throws IOException {
    Files.delete(directory);
    openLooking();
    assertThat(store.current().rules().version()).isZero();
    assertThat(store.current().problems()).hasSize(1);

    Files.createDirectory(directory);
    write("payments.yaml", 10);

    soon().untilAsserted(() -> assertThat(limit("payments")).isEqualTo(10));
  }

  @Test
  void tellsListenersWhatItHoldsAndThenOfChangesOnly() throws IOException {
    write("payments.yaml", 10);
    open();
    List<RuleSnapshot> heard = new CopyOnWriteArrayList<>();
    store.subscribe(heard::add);
    assertThat(heard).containsExactly(store.current());

    Files.writeString(
        directory.resolve("payments.yaml"), "# a remark changes nothing\n" + yaml("payments", 10));
    write("shipping.yaml", 30);

    soon().untilAsserted(() -> assertThat(limit("shipping")).isEqualTo(30));
    soon().untilAsserted(() -> assertThat(heard).hasSize(2));
    assertThat(heard.get(1)).isEqualTo(store.current());
    assertThat(heard.get(1).rules().version()).isGreaterThan(heard.get(0).rules().version());
  }

  @Test
  void goesOnWhenAListenerFails() throws IOException {
    write("payments.yaml", 10);
    open();
    List<RuleSnapshot> heard = new CopyOnWriteArrayList<>();
    store.subscribe(
        snapshot -> {
          if (!heard.isEmpty()) {
            throw new IllegalStateException("on purpose");
          }
        });
    store.subscribe(heard::add);

    write("payments.yaml", 20);
    soon().untilAsserted(() -> assertThat(heard).hasSize(2));
    write("payments.yaml", 30);
    soon().untilAsserted(() -> assertThat(heard).hasSize(3));
  }

  @Test
  void endsItsThreadWhenItIsClosed() throws IOException {
    openLooking();
    assertThat(rulesThreads()).isEqualTo(1);

    store.close();

    soon().untilAsserted(() -> assertThat(rulesThreads()).isZero());
  }

  @Test
  void hasTheSameVersionAndDigestInEveryReplica() throws IOException {
    write("payments.yaml", 10);
    Files.setLastModifiedTime(directory, FileTime.fromMillis(1_000));
    Files.setLastModifiedTime(directory.resolve("payments.yaml"), FileTime.fromMillis(1_000));
    open();
    write("payments.yaml", 20);
    soon().untilAsserted(() -> assertThat(limit("payments")).isEqualTo(20));

    try (DirectoryRuleStore replica = DirectoryRuleStore.open(directory)) {
      assertThat(replica.current()).isEqualTo(store.current());
    }
  }

  /** A store that sees nothing but what the operating system tells it. */
  private void open() {
    store = DirectoryRuleStore.open(directory, Duration.ofHours(1));
  }

  /** A store that looks often by itself. */
  private void openLooking() {
    store = DirectoryRuleStore.open(directory, Duration.ofMillis(20));
  }

  private static long rulesThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("headgate-rules") && thread.isAlive())
        .count();
  }

  private static ConditionFactory soon() {
    return await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(10));
  }

  private double limit(String service) {
    Rule rule = store.current().rules().rule(service, "r");
    return rule == null ? -1 : rule.limit().perSecond();
  }

  /** Writes a file of the service that it is named for. */
  private void write(String file, int limitPerSecond) throws IOException {
    String name = file.substring(file.lastIndexOf('/') + 1);
    write(file, name.replaceAll("^\\.|\\..*$", ""), limitPerSecond);
  }

  private void write(String file, String service, int limitPerSecond) throws IOException {
    Files.writeString(directory.resolve(file), yaml(service, limitPerSecond));
  }

  private static String yaml(String service, int limitPerSecond) {
    return "service: %s\nrules:\n  - { name: r, limit: %d/s }\n".formatted(service, limitPerSecond);
  }
}
