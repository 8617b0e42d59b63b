package io.headgate.server.demo.sample;

import io.headgate.core.rule.Location;
import java.util.List;

/** Who calls the sample service: unequal callers, spread unequally over four zones. */
public final class Population {

  /**
   * A caller of the sample.
   *
   * @param name who calls
   * @param location where it runs
   * @param share its share of all calls, from 0 to 1
   */
  public record Member(String name, Location location, double share) {}

  /** All callers; their shares come to 1. */
  public static final List<Member> MEMBERS =
      List.of(
          member("checkout", "eu-west", "eu-west-1", 0.15),
          member("mobile", "eu-west", "eu-west-1", 0.14),
          member("subscriptions", "eu-west", "eu-west-1", 0.13),
          member("batch", "eu-west", "eu-west-2", 0.115),
          member("backoffice", "eu-west", "eu-west-2", 0.105),
          member("partner", "us-east", "us-east-1", 0.13),
          member("marketplace", "us-east", "us-east-1", 0.12),
          member("kiosk", "us-east", "us-east-2", 0.11));

  private Population() {}

  private static Member member(String name, String region, String zone, double share) {
    return new Member(name, new Location(region, zone), share);
  }
}
