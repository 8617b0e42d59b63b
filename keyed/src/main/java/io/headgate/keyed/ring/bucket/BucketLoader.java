package io.headgate.keyed.ring.bucket;

import io.headgate.core.hits.BucketState;
import java.util.stream.Stream;

/** Keeps the buckets of a node while it does not run. */
public interface BucketLoader {

  /** Keeps nothing. */
  BucketLoader NONE =
      new BucketLoader() {
        @Override
        public Stream<Entry> load() {
          return Stream.empty();
        }

        @Override
        public void save(Stream<Entry> buckets) {}
      };

  /** A bucket and its key. */
  record Entry(HitKey key, BucketState state) {}

  /** The buckets to begin with; called once, before the node serves. */
  Stream<Entry> load();

  /** The buckets that the node held last; called once, when it serves no more. */
  void save(Stream<Entry> buckets);
}
