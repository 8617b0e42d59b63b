package io.headgate.keyed.servlet;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.proc.SecurityContext;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads key sets no more often than once a pause, whatever keys tokens claim to be signed with, and
 * hands out the latest in between. Nimbus' own bound on this fails instead, so that whoever sends
 * unknown keys could have known ones refused.
 */
final class KeySets implements JWKSetSource<SecurityContext> {

  private final JWKSetSource<SecurityContext> source;
  private final long pauseMillis;
  private @Nullable JWKSet latest;
  private long triedAtMillis = Long.MIN_VALUE / 2;

  KeySets(JWKSetSource<SecurityContext> source, long pauseMillis) {
    this.source = source;
    this.pauseMillis = pauseMillis;
  }

  @Override
  public synchronized JWKSet getJWKSet(
      JWKSetCacheRefreshEvaluator evaluator, long currentTime, SecurityContext context)
      throws KeySourceException {
    if (currentTime - triedAtMillis < pauseMillis) {
      if (latest == null) {
        throw new JWKSetUnavailableException("the keys could not be read a moment ago");
      }
      return latest;
    }
    triedAtMillis = currentTime;
    latest = source.getJWKSet(evaluator, currentTime, context);
    return latest;
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
