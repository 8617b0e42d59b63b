package io.headgate.control.rules.repository;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** A lock by a file, which the operating system lets go when the process ends. */
final class WriteLock implements Closeable {

  private final FileChannel channel;

  private WriteLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Takes the lock; null if another process, or another part of this one, has it. */
  static @Nullable WriteLock tryTake(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return new WriteLock(channel);
      }
    } catch (OverlappingFileLockException e) {
      // This process has it.
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channel.close();
    return null;
  }

  /** Takes the lock; whoever has it is about to change the rules. */
  static WriteLock take(Path file) throws IOException, RuleConflictException {
    WriteLock lock = tryTake(file);
    if (lock == null) {
      throw new RuleConflictException(file + ": somebody else changes the rules at this moment");
    }
    return lock;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
