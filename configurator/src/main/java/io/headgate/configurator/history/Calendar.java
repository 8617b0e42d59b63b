package io.headgate.configurator.history;

import io.headgate.configurator.series.LimitKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What people know of the past and the future.
 *
 * @param windows in no order; they may overlap
 */
public record Calendar(List<CalendarWindow> windows) {

  /** Nothing is known. */
  public static final Calendar EMPTY = new Calendar(List.of());

  public Calendar {
    windows = List.copyOf(windows);
  }

  /** The windows of one kind that are about the calls of a limit. */
  List<CalendarWindow> of(WindowKind kind, LimitKey limit) {
    return windows.stream()
        .filter(window -> window.kind() == kind && window.concerns(limit))
        .toList();
  }

  /**
   * A peak that people expect and that is not over, and begins within some time; the first of
   * several, null if there is none.
   */
  public @Nullable CalendarWindow peakAhead(LimitKey limit, long nowSecond, long withinSeconds) {
    CalendarWindow first = null;
    for (CalendarWindow window : of(WindowKind.PEAK, limit)) {
      boolean ahead =
          window.range().toSecond() > nowSecond
              && window.range().fromSecond() <= nowSecond + withinSeconds;
      if (ahead && (first == null || window.range().fromSecond() < first.range().fromSecond())) {
        first = window;
      }
    }
    return first;
  }
}
