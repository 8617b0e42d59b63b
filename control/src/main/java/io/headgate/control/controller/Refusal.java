package io.headgate.control.controller;

import java.util.Locale;

/** Why something that a peer sent is not taken. Each is counted by itself. */
enum Refusal {
  /** The stream's first message is not a hello, or a later one is. */
  OUT_OF_ORDER,
  /** A name in the hello is not an identifier, or there are too many zones or regions. */
  BAD_HELLO,
  /** It comes from the wrong region: an aggregator's of another, a peer's of this one. */
  WRONG_REGION,
  /** A later start of the same aggregator or controller is known. */
  OLD_EPOCH,
  /** More streams than the bound allows. */
  TOO_MANY_STREAMS,
  /** A sequence number that came before, or is lower. */
  REPEATED,
  /** A column has neither no entries nor as many as there are rows. */
  COLUMN_LENGTH,
  /** A rate or count is not a number, infinite, negative or above 10<sup>12</sup>. */
  BAD_NUMBER,
  /** Two rows of one report are about the same bucket. */
  REPEATED_BUCKET,
  /** A level entry has no such row or level, or exceeds what the row offers. */
  BAD_LEVEL,
  /** A bucket's number is out of range or used already, or a name is too long. */
  BAD_DEFINITION,
  /** More buckets than the bound allows. */
  TOO_MANY_BUCKETS,
  /** A row of a bucket that the stream has not named; the other rows are taken. */
  UNDEFINED_BUCKET,
  /** A row of a bucket that no rule in force is about; the other rows are taken. */
  UNKNOWN_RULE;

  /** Its name as the tag of a metric. */
  String tag() {
    return name().toLowerCase(Locale.ROOT);
  }
}
