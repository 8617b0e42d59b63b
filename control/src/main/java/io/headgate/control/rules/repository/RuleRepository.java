package io.headgate.control.rules.repository;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rules that programs may change. A change is written if the rules are still what it was made from,
 * and then as a whole: whoever reads, and whatever breaks off, sees the rules before it or after
 * it.
 */
public interface RuleRepository extends AutoCloseable {

  /**
   * What is there now.
   *
   * @throws IOException if it cannot be read, or is not fit to be changed
   */
  RuleFiles read() throws IOException;

  /**
   * Writes a change.
   *
   * @param base what it was made from
   * @return what is there afterwards; {@code base} if the edits change nothing
   * @throws RuleConflictException if the rules are not those of {@code base} any more
   * @throws InvalidEditException if an edit cannot be made, such as to a rule that is not there
   */
  RuleFiles write(RuleFiles base, RuleChange change)
      throws IOException, RuleConflictException, InvalidEditException;

  /**
   * Takes the last change back by another change.
   *
   * @param author who is named as its author
   * @return what is there afterwards
   * @throws RuleConflictException if there is no change to take back, or the rules have been
   *     changed since by somebody else
   */
  RuleFiles revert(String author) throws IOException, RuleConflictException;

  /**
   * Keeps other runs out, on this machine and on others that share the repository, until it is
   * closed or has not been renewed for some time.
   *
   * @param holder who asks, by a name that nobody else has
   * @param now the time
   * @param timeToLive how long it holds without being renewed
   * @return null if somebody else has it
   */
  @Nullable RunLease tryLease(String holder, Instant now, Duration timeToLive) throws IOException;

  /** Who has the lease now; empty if nobody has. */
  String leaseHolder(Instant now) throws IOException;

  /** What runs have noted for those after them, by key. */
  Map<String, String> notes() throws IOException;

  /**
   * Notes something for runs after this one, in place of what was noted under the same keys.
   *
   * @param notes lines of text, by keys without a colon
   */
  void note(Map<String, String> notes) throws IOException;

  /** Lets go of what it holds open. */
  @Override
  default void close() {}
}
