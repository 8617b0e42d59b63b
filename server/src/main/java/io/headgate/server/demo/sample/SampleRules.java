package io.headgate.server.demo.sample;

import io.headgate.core.rule.Rate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The rules of the sample service, one of each kind, all of them scaled to the limit of the main
 * one.
 */
public final class SampleRules {

  /** The rule that holds all callers together to one limit, everywhere. */
  public static final String MAIN = "charge-global";

  /** What each procedure is called, as a share of the main limit when the load is as usual. */
  public static final double CHARGES = 1.0;

  /** See {@link #CHARGES}. */
  public static final double REFUNDS = 0.06;

  /** See {@link #CHARGES}. */
  public static final double LOOKUPS = 0.1;

  /** See {@link #CHARGES}. */
  public static final double BALANCES = 0.02;

  private static final String FILE = "payments.yaml";

  private static final String HEAD =
      """
      # Change a limit, or deny to allow, and save: it is in force everywhere about a second later.
      # A mistake changes nothing, and is shown with its line and column.
      service: payments
      rules:
        # All charges of all callers together, everywhere.
        - name: charge-global
          match: { procedure: payments.v1.Payments/Charge }
          limit: %s
          scope: global
          behavior: deny
      """;

  private static final String SHADOW =
      """

        # Shadow: counts what a tighter limit on the same calls would drop, and drops nothing.
        - name: charge-candidate
          match: { procedure: payments.v1.Payments/Charge }
          limit: %s
          scope: global
          behavior: allow
      """;

  private static final String NARROW =
      """

        # Refunds, in each region by itself.
        - name: refund-region
          match: { procedure: payments.v1.Payments/Refund }
          limit: %s
          scope: region
          behavior: deny

        # Look-ups, in each zone by itself.
        - name: lookup-zone
          match: { procedure: payments.v1.Payments/Lookup }
          limit: %s
          scope: zone
          behavior: deny
      """;

  private static final String BY_CALLER =
      """

        # Each caller by itself, everywhere.
        - name: balance-per-caller
          match: { procedure: GET /v1/balance }
          per: [caller]
          limit: %s
          scope: global
          behavior: deny
      """;

  private SampleRules() {}

  /**
   * Writes the rules into a directory.
   *
   * @param mainLimitPerSecond the limit of {@link #MAIN}
   * @return the file
   */
  public static Path write(Path directory, double mainLimitPerSecond) throws IOException {
    Path file = directory.resolve(FILE);
    Files.writeString(
        file,
        head(mainLimitPerSecond)
            + SHADOW.formatted(rate(0.75 * mainLimitPerSecond))
            + narrow(mainLimitPerSecond)
            + BY_CALLER.formatted(rate(0.003 * mainLimitPerSecond)));
    return file;
  }

  /**
   * Writes those whose effect a caller behind an Envoy can see: not that in shadow, and not that of
   * plain HTTP.
   */
  public static Path writeForEnvoys(Path directory, double mainLimitPerSecond) throws IOException {
    Path file = directory.resolve(FILE);
    Files.writeString(file, head(mainLimitPerSecond) + narrow(mainLimitPerSecond));
    return file;
  }

  private static String head(double mainLimitPerSecond) {
    return HEAD.formatted(rate(mainLimitPerSecond));
  }

  private static String narrow(double mainLimitPerSecond) {
    return NARROW.formatted(rate(0.03 * mainLimitPerSecond), rate(0.035 * mainLimitPerSecond));
  }

  /** Rates of small samples keep a decimal. */
  private static Rate rate(double perSecond) {
    return Rate.perSecond(perSecond >= 20 ? Math.rint(perSecond) : Math.rint(perSecond * 10) / 10);
  }
}
