package io.headgate.configurator.guard;

import io.headgate.configurator.parameters.Parameters;
import io.headgate.configurator.series.LimitKey;
import io.headgate.core.rule.NamePattern;
import java.time.Instant;

/**
 * A limit that somebody has set by hand, for a time; no policy changes it until that is over.
 *
 * @param service of which services
 * @param rule of which of their rules
 * @param place for which regions and zones; the rules' own limits too, if it is any
 * @param perSecond the limit; NaN for the one that is there
 * @param until when it ends
 * @param about why, for people
 */
public record Pin(
    NamePattern service,
    NamePattern rule,
    NamePattern place,
    double perSecond,
    Instant until,
    String about) {

  /** What somebody has set. */
  public static Pin of(Parameters parameters) {
    Pin pin =
        new Pin(
            parameters.pattern("service"),
            parameters.pattern("rule"),
            parameters.pattern("place"),
            parameters.rate("limit", Double.NaN),
            parameters.instant("until"),
            parameters.text("about", ""));
    parameters.finish();
    return pin;
  }

  /** Whether it holds a limit now. */
  public boolean holds(LimitKey limit, Instant now) {
    return now.isBefore(until)
        && service.matches(limit.service())
        && rule.matches(limit.rule().name())
        && (place.isAny() || place.matches(limit.place()));
  }

  /** What the limit is, and why. */
  public Verdict verdict(double currentPerSecond) {
    return Verdict.keep(
        Double.isNaN(perSecond) ? currentPerSecond : perSecond,
        "pinned until " + until + (about.isEmpty() ? "" : " (" + about + ")"));
  }
}
