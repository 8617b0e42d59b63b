package io.headgate.simulator.campaign;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/**
 * What came of a campaign.
 *
 * @param seeds how many worlds were run
 * @param violations how many failures there are
 * @param failures for each world each invariant that did not hold, by seed
 */
@JsonPropertyOrder({"seeds", "violations", "failures"})
public record CampaignResult(long seeds, int violations, List<Failure> failures) {

  public CampaignResult {
    failures = List.copyOf(failures);
  }
}
