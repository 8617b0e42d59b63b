package io.headgate.agent;

import io.headgate.protocol.v1.BucketDefinition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The numbers that buckets go by on the stream in use, counted from 1 and never reused there. */
final class BucketNumbers {

  private final List<Bucket> byNumber = new ArrayList<>();

  /** Numbers a bucket that has none yet. */
  BucketDefinition define(Bucket bucket) {
    byNumber.add(bucket);
    bucket.setNumber(byNumber.size());
    return BucketDefinition.newBuilder()
        .setId(bucket.number())
        .setService(bucket.key().service())
        .setRule(bucket.key().rule())
        .setCaller(bucket.key().caller())
        .setProcedure(bucket.key().procedure())
        .build();
  }

  /** The bucket of this number, or null if there is none. */
  @Nullable Bucket bucket(int number) {
    return number >= 1 && number <= byNumber.size() ? byNumber.get(number - 1) : null;
  }

  /** How many numbers were given on the stream, also to buckets that are no more. */
  int count() {
    return byNumber.size();
  }

  /** Forgets all numbers, for a new stream. */
  void clear() {
    for (Bucket bucket : byNumber) {
      bucket.setNumber(0);
    }
    byNumber.clear();
  }
}
