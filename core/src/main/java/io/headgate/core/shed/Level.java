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

  private Level() {}

  /** The level of a first attempt or retry of a criticality class from 0 to 5. */
  public static int of(int criticality, boolean retry) {
    return retry ? CLASSES + criticality : criticality;
  }
}
