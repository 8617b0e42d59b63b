package io.headgate.simulator.campaign;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/**
 * What came of a campaign.
 *
 * @param seeds how many worlds were run
 * @param violations how many failures there are
 * @param failures for each world each invariant that did not hold, by seed
 * @param judged for each invariant how often there was something to judge by it
 */
@JsonPropertyOrder({"seeds", "violations", "failures", "judged"})
public record CampaignResult(
    long seeds, int violations, List<Failure> failures, List<Judged> judged) {

  public CampaignResult {
    failures = List.copyOf(failures);
    judged = List.copyOf(judged);
  }

  /**
   * How often an invariant could have failed.
   *
   * @param invariant its name
   * @param seeds in how many worlds
   * @param seconds in how many of their seconds
   */
  @JsonPropertyOrder({"invariant", "seeds", "seconds"})
  public record Judged(String invariant, int seeds, long seconds) {}
}
