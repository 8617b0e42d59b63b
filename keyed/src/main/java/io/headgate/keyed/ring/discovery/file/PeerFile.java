package io.headgate.keyed.ring.discovery.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headgate.keyed.ring.discovery.MalformedPeerException;
import io.headgate.keyed.ring.discovery.PeerDiscovery;
import io.headgate.keyed.ring.discovery.PeerInfo;
import io.headgate.keyed.ring.discovery.PeerNews;
import io.headgate.keyed.ring.discovery.Polling;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Peers that stand in a file, which is read again and again: a change is in force about a second
 * after it was written. See {@code docs/cluster.md} for the form.
 *
 * <p>A file with a mistake, or that cannot be read, changes nothing: the last good peers stay, and
 * {@link #problem()} says what is wrong until it is mended.
 */
public final class PeerFile implements PeerDiscovery {

  /*
   * The file is read rather than watched: that sees changes behind links (as in mounted
   * configuration) and on network file systems too, and a file of peers is small. A new version
   * counts once two looks found it the same, so that one which is being written is not taken for a
   * shorter list.
   */

  /** A look costs reading a few kilobytes; two of them make a change. */
  private static final Duration INTERVAL = Duration.ofMillis(500);

  private final Path file;
  private final String dataCenter;
  private final Duration interval;
  private final PeerNews news = new PeerNews();
  private byte @Nullable [] seen;
  private byte @Nullable [] taken;
  private @Nullable Polling polling;

  PeerFile(Path file, String dataCenter, Duration interval) {
    this.file = file;
    this.dataCenter = dataCenter;
    this.interval = interval;
  }

  /**
   * The peers in {@code file}.
   *
   * @param dataCenter where those are for which the file has no data center
   */
  public static PeerFile of(Path file, String dataCenter) {
    return new PeerFile(file, dataCenter, INTERVAL);
  }

  /** The file has been read when this returns; if it is good, {@code listener} has been told. */
  @Override
  public void start(Consumer<List<PeerInfo>> listener) {
    news.start(listener);
    try {
      take(Files.readAllBytes(file));
    } catch (IOException e) {
      news.problem(explain(e));
    }
    polling = Polling.start("headgate-peer-file", this::look);
  }

  private Duration look() {
    try {
      byte[] content = Files.readAllBytes(file);
      if (Arrays.equals(content, seen)) {
        if (!Arrays.equals(content, taken) || !news.problem().isEmpty()) {
          take(content);
        }
      }
      seen = content;
    } catch (IOException e) {
      seen = null;
      news.problem(explain(e));
    }
    return interval;
  }

  private void take(byte[] content) {
    seen = content;
    taken = content;
    try {
      String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
      news.peers(PeerList.read(text, dataCenter));
      news.problem("");
    } catch (MalformedPeerException e) {
      news.problem(file + ":" + e.line() + ": " + e.getMessage());
    } catch (CharacterCodingException e) {
      news.problem(file + ":1: bytes that are no text (expected: UTF-8)");
    }
  }

  private String explain(IOException e) {
    if (e instanceof NoSuchFileException) {
      return file + ": no such file (expected: a file of peers)";
    }
    if (e instanceof AccessDeniedException) {
      return file + ": not readable (expected: a file of peers)";
    }
    return file + ": " + e + " (expected: a file of peers)";
  }

  @Override
  public String problem() {
    return news.problem();
  }

  @Override
  public void close() {
    news.close();
    if (polling != null) {
      polling.close();
    }
  }
}
