package io.headgate.core.shed;

/**
 * How urgent a request is, as a number from 0 (kept longest) to 11 (shed first): first attempts by
 * criticality class 0 to 5, then retries by criticality class. A retry of any class is shed before
 * a first attempt of any other, because retries are what feeds an overload.
 */
public final class Level {

  /** Criticality classes: 0 (most critical) to 5. */
  public static final int CLASSES = 6;

  /** Levels: each class as first attempt and as retry. */
  public static final int COUNT = 2 * CLASSES;

  /** The class of requests that carry none, unless their rule names another. */
  public static final int DEFAULT_CLASS = 3;

  /**
   * The level that messages leave out where they split a bucket's demand: what the other levels
   * leave of the whole is at this one. It is the same for every rule, whichever class that gives to
   * requests without: so a sum means the same to those who know of a change of rules and to those
   * who do not yet.
   */
  public static final int UNSAID = DEFAULT_CLASS;

  private Level() {}

  /** The level of a first attempt or retry of a criticality class from 0 to 5. */
  public static int of(int criticality, boolean retry) {
    return retry ? CLASSES + criticality : criticality;
  }
}
