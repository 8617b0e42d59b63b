package io.headgate.control.rules;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.control.status.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuleDirectoryTest {

  private static final FileTime LONG_AGO =
      FileTime.from(Instant.now().minus(Duration.ofMinutes(1)));

  @TempDir private Path path;
  private Path file;
  private RuleDirectory directory;

  @BeforeEach
  void writeFile() throws IOException {
    file = path.resolve("a.yaml");
    Files.writeString(file, "service: aa\nrules: []\n");
    directory = new RuleDirectory(path);
  }

  @Test
  void doesNotReadAFileAgainThatHasNotChanged() throws IOException {
    Files.setLastModifiedTime(file, LONG_AGO);
    ParsedFile first = directory.read().files().get(0);

    assertThat(directory.read().files()).singleElement().isSameAs(first);
  }

  @Test
  void readsAFileAgainThatHasAnotherSizeTimeOrInode() throws IOException {
    Files.setLastModifiedTime(file, LONG_AGO);
    directory.read();

    Files.writeString(file, "service: bbb\nrules: []\n");
    Files.setLastModifiedTime(file, LONG_AGO);
    assertThat(service()).isEqualTo("bbb");

    Files.writeString(file, "service: ccc\nrules: []\n");
    Files.setLastModifiedTime(file, FileTime.fromMillis(LONG_AGO.toMillis() + 1));
    assertThat(service()).isEqualTo("ccc");

    Path other = path.resolve("other");
    Files.writeString(other, "service: ddd\nrules: []\n");
    Files.setLastModifiedTime(other, FileTime.fromMillis(LONG_AGO.toMillis() + 1));
    Files.move(other, file, REPLACE_EXISTING);
    assertThat(service()).isEqualTo("ddd");
  }

  @Test
  void readsAFileAgainThatMayHaveChangedWithinOneStepOfTheClock() throws IOException {
    FileTime now = FileTime.from(Instant.now());
    Files.setLastModifiedTime(file, now);
    assertThat(service()).isEqualTo("aa");

    Files.writeString(file, "service: bb\nrules: []\n");
    Files.setLastModifiedTime(file, now);

    assertThat(service()).isEqualTo("bb");
  }

  @Test
  void knowsTheNewestChangeOfTheDirectoryAndItsFiles() throws IOException {
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000));
    Files.setLastModifiedTime(path, FileTime.fromMillis(2_000));
    assertThat(directory.read().modifiedMillis()).isEqualTo(2_000);

    Files.setLastModifiedTime(file, FileTime.fromMillis(3_000));
    assertThat(directory.read().modifiedMillis()).isEqualTo(3_000);
  }

  @Test
  void takesWhatItCannotReadForAProblemOfThatFile() throws IOException {
    Files.createSymbolicLink(path.resolve("b.yaml"), Path.of("/dev/null"));
    Files.createSymbolicLink(path.resolve("c.yaml"), Path.of("nowhere"));

    assertThat(directory.read().files())
        .flatExtracting(ParsedFile::problems)
        .extracting(FileProblem::toString)
        .containsExactly(
            "b.yaml:1:1: cannot be read: not a regular file",
            "c.yaml:1:1: cannot be read: there is no such file or directory");
  }

  @Test
  void failsWithoutADirectory() {
    assertThatThrownBy(() -> new RuleDirectory(path.resolve("absent")).read())
        .isInstanceOf(NoSuchFileException.class);
  }

  private String service() throws IOException {
    return directory.read().files().get(0).services().get(0).rules().service();
  }
}
