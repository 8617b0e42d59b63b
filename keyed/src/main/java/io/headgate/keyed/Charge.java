package io.headgate.keyed;

/**
 * A decision, and the way to undo it.
 *
 * @param decision the answer
 * @param giveBack gives back what was taken, if anything was and as far as the backend can; to be
 *     called once at most
 */
public record Charge(KeyedDecision decision, Runnable giveBack) {

  /** Of a decision that took nothing, or of a backend that cannot give back. */
  public static final Runnable NOTHING = () -> {};
}
