package io.headgate.configurator.promotion;

import io.headgate.configurator.guard.PromotionSettings;
import io.headgate.configurator.source.SourceException;

/** What is known of limits on trial at one moment. */
interface Evidence {

  /**
   * What a limit has shown in shadow since its trial began.
   *
   * @throws SourceException if a rate cannot be read
   */
  ShadowEvidence inShadow(RuleOnTrial rule, PromotionSettings settings)
      throws SourceException, InterruptedException;

  /**
   * What it has done at its present stage.
   *
   * @throws SourceException if a rate cannot be read
   */
  SoakEvidence enforced(RuleOnTrial rule, PromotionSettings settings)
      throws SourceException, InterruptedException;
}
