package io.headgate.control.aggregator;

import java.util.Locale;

/** Why a report, or a part of one, is not taken. Each is counted by itself. */
enum Refusal {
  /** A number that must not be negative is, such as an unsigned one of 2<sup>63</sup> or more. */
  NEGATIVE,
  /** A count for its time is a greater rate than a client can have. */
  RATE,
  /** The report covers less than a millisecond or more than an hour. */
  ELAPSED,
  /** More rows or definitions than a report may have. */
  TOO_MANY_ROWS,
  /** A column has neither no entries nor as many as there are rows. */
  COLUMN_LENGTH,
  /** A row's bucket was not defined on this stream. */
  UNDEFINED_BUCKET,
  /** Two rows are about the same bucket. */
  REPEATED_BUCKET,
  /** More was dropped, or would have been, than was offered. */
  DROPPED_EXCEEDS_OFFERED,
  /** A level entry has no such row or level, or the entries of a row exceed what it offers. */
  LEVEL,
  /** A recent count has no row or one with another, or exceeds its row in time or count. */
  RECENT,
  /** A bucket's number is 0 or names another bucket already, or a name is empty or too long. */
  DEFINITION,
  /** The stream defines more buckets than it may. */
  TOO_MANY_BUCKETS,
  /** The sequence number is 0, or the same as that of a report before it, or lower. */
  DUPLICATE,
  /** In an overload, a newer report of the same client came before this one was taken. */
  SUPERSEDED,
  /** A later start of the same client is known, or it has said goodbye. */
  OLD_EPOCH,
  /** A row of a bucket that no rule in force is about; the other rows are taken. */
  UNKNOWN_BUCKET,
  /** A row of a bucket for which there was no room; the other rows are taken. */
  NO_ROOM;

  /** Its name as the tag of a metric. */
  String tag() {
    return name().toLowerCase(Locale.ROOT);
  }
}
