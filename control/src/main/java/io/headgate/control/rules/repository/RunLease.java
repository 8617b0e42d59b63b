package io.headgate.control.rules.repository;

import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;

/**
 * The right to be the one who computes limits and writes them, for a time. It saves two runs from
 * doing the same work; what keeps rules whole is that a change is written only if nobody has
 * changed them meanwhile. So clocks of different machines need to agree only roughly.
 */
public interface RunLease extends Closeable {

  /**
   * Holds on to it for another while.
   *
   * @param now the time
   * @return whether it is still held; if not, somebody else has taken it over
   * @throws IOException if that cannot be told
   */
  boolean renew(Instant now) throws IOException;

  /** Lets somebody else have it; does nothing if somebody has it already. */
  @Override
  void close() throws IOException;
}
