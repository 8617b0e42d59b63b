package io.headgate.configurator.run;

import io.headgate.control.rules.repository.RuleRepository;
import io.headgate.control.rules.repository.RunLease;
import io.headgate.core.time.EventLoop;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lease that is renewed three times as often as it has to be, until it is closed or lost. */
public final class HeldLease implements Closeable {

  private static final Logger log = LoggerFactory.getLogger(HeldLease.class);

  private static final int RENEWALS = 3;

  private final RunLease lease;
  private final Duration timeToLive;
  private final EventLoop loop;
  private final InstantSource clock;
  private final Runnable onLoss;
  private volatile Instant until;
  private volatile boolean lost;
  private volatile boolean closed;

  private HeldLease(
      RunLease lease, Duration timeToLive, EventLoop loop, InstantSource clock, Runnable onLoss) {
    this.lease = lease;
    this.timeToLive = timeToLive;
    this.loop = loop;
    this.clock = clock;
    this.onLoss = onLoss;
    this.until = clock.instant().plus(timeToLive);
  }

  /**
   * Takes the lease.
   *
   * @param holder who takes it, by a name that nobody else has
   * @param timeToLive how long after its holder has died somebody else may take it
   * @param loop where it is renewed
   * @param onLoss is told on the loop if somebody else may have it
   * @return null if somebody else has it
   */
  public static @Nullable HeldLease take(
      RuleRepository repository,
      String holder,
      Duration timeToLive,
      EventLoop loop,
      InstantSource clock,
      Runnable onLoss)
      throws IOException {
    RunLease lease = repository.tryLease(holder, clock.instant(), timeToLive);
    if (lease == null) {
      return null;
    }
    HeldLease held = new HeldLease(lease, timeToLive, loop, clock, onLoss);
    held.renewLater();
    return held;
  }

  /** Renews it now; returns whether it is still held. */
  public boolean renew() throws IOException {
    Instant now = clock.instant();
    if (!lost && lease.renew(now)) {
      until = now.plus(timeToLive);
      return true;
    }
    lost = true;
    return false;
  }

  /** Whether somebody else may have it. */
  public boolean isLost() {
    return lost;
  }

  private void renewLater() {
    loop.schedule(timeToLive.dividedBy(RENEWALS).toNanos(), this::renewNow);
  }

  private void renewNow() {
    if (closed) {
      return;
    }
    try {
      renew();
    } catch (IOException e) {
      log.warn("the lease on the rules cannot be renewed, it holds until {}: {}", until, e + "");
      lost = lost || !clock.instant().isBefore(until);
    }
    if (lost) {
      onLoss.run();
    } else {
      renewLater();
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    lease.close();
  }
}
