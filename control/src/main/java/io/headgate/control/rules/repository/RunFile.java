package io.headgate.control.rules.repository;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What runs tell one another, in a file of lines {@code key: value}: who may run and until when,
 * and notes. It is read and written in place under a lock of the operating system, which is held
 * for a moment only. A file that a dying process has torn says nothing, and neither does one that a
 * machine has lost: then a run is made once more than it had to be.
 */
final class RunFile {

  private static final String HOLDER = "holder";
  private static final String UNTIL = "until";

  /** A lock on a file is one of the process; its threads take turns by this. */
  private static final Object TURN = new Object();

  private final Path file;

  RunFile(Path file) {
    this.file = file;
  }

  /** Takes the lease, unless somebody else has one that has not run out. */
  @Nullable RunLease tryLease(String holder, Instant now, Duration timeToLive) throws IOException {
    boolean taken =
        change(
            lines -> {
              String other = holder(lines, now);
              if (!other.isEmpty() && !other.equals(holder)) {
                return false;
              }
              lines.put(HOLDER, holder);
              lines.put(UNTIL, now.plus(timeToLive).toString());
              return true;
            });
    return taken ? new Lease(holder, timeToLive) : null;
  }

  /** Who has the lease; empty if nobody has. */
  String holder(Instant now) throws IOException {
    String[] found = {""};
    change(
        lines -> {
          found[0] = holder(lines, now);
          return false;
        });
    return found[0];
  }

  /** What was noted. */
  Map<String, String> notes() throws IOException {
    Map<String, String> notes = new TreeMap<>();
    change(
        lines -> {
          notes.putAll(lines);
          return false;
        });
    notes.remove(HOLDER);
    notes.remove(UNTIL);
    return notes;
  }

  /** Notes something; what is noted under other keys stays. */
  void note(Map<String, String> notes) throws IOException {
    change(
        lines -> {
          lines.putAll(notes);
          return true;
        });
  }

  private static String holder(Map<String, String> lines, Instant now) {
    String holder = lines.getOrDefault(HOLDER, "");
    try {
      return now.isBefore(Instant.parse(lines.getOrDefault(UNTIL, ""))) ? holder : "";
    } catch (DateTimeParseException e) {
      return "";
    }
  }

  /** Changes lines. */
  private interface Change {
    /** Returns whether they are to be written. */
    boolean to(Map<String, String> lines);
  }

  private boolean change(Change change) throws IOException {
    synchronized (TURN) {
      try (FileChannel channel =
              FileChannel.open(
                  file,
                  StandardOpenOption.CREATE,
                  StandardOpenOption.READ,
                  StandardOpenOption.WRITE);
          FileLock lock = channel.lock()) {
        Map<String, String> lines = read(channel);
        boolean changed = change.to(lines);
        if (changed) {
          write(channel, lines);
        }
        return changed;
      }
    }
  }

  private static Map<String, String> read(FileChannel channel) throws IOException {
    // The stream is the channel's, and is closed with it.
    String text = new String(Channels.newInputStream(channel).readAllBytes(), UTF_8);
    Map<String, String> lines = new TreeMap<>();
    text.lines()
        .forEach(
            line -> {
              int colon = line.indexOf(": ");
              if (colon > 0) {
                lines.put(line.substring(0, colon), line.substring(colon + 2));
              }
            });
    return lines;
  }

  private static void write(FileChannel channel, Map<String, String> lines) throws IOException {
    StringBuilder text = new StringBuilder();
    lines.forEach((key, value) -> text.append(key).append(": ").append(value).append('\n'));
    ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(UTF_8));
    channel.truncate(0);
    channel.position(0);
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private final class Lease implements RunLease {

    private final String holder;
    private final Duration timeToLive;

    Lease(String holder, Duration timeToLive) {
      this.holder = holder;
      this.timeToLive = timeToLive;
    }

    @Override
    public boolean renew(Instant now) throws IOException {
      return change(
          lines -> {
            if (!holder.equals(lines.get(HOLDER))) {
              return false;
            }
            lines.put(UNTIL, now.plus(timeToLive).toString());
            return true;
          });
    }

    @Override
    public void close() throws IOException {
      change(
          lines -> {
            if (!holder.equals(lines.get(HOLDER))) {
              return false;
            }
            lines.remove(HOLDER);
            lines.remove(UNTIL);
            return true;
          });
    }
  }
}
