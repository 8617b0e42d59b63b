package io.headgate.configurator.run;

import io.headgate.configurator.trigger.CronSchedule;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The next moment of a schedule, kept until it is asked for another one. */
final class NextMoment {

  private @Nullable CronSchedule schedule;
  private @Nullable Instant last;
  private Instant next = Instant.MAX;

  /**
   * The first moment after the last one that was used; never if there was none, for then there is a
   * better reason than the time.
   */
  Instant after(CronSchedule schedule, @Nullable Instant last) {
    if (schedule != this.schedule || !Objects.equals(last, this.last)) {
      this.schedule = schedule;
      this.last = last;
      next = last == null ? Instant.MAX : schedule.next(last);
    }
    return next;
  }
}
