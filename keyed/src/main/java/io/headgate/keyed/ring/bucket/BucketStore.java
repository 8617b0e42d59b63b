package io.headgate.keyed.ring.bucket;

import io.headgate.core.hits.BucketState;
import io.headgate.core.hits.HitRequest;
import org.jspecify.annotations.Nullable;

/**
 * Keeps buckets beyond the memory of a node. Called on the threads that count, while they hold up
 * some of the other keys, so it must be quick; what it throws becomes the error of the request.
 */
public interface BucketStore {

  /** Keeps nothing. */
  BucketStore NONE =
      new BucketStore() {
        @Override
        public @Nullable BucketState get(HitKey key, HitRequest request) {
          return null;
        }

        @Override
        public void changed(HitKey key, HitRequest request, BucketState state) {}

        @Override
        public void removed(HitKey key) {}
      };

  /** The bucket of a key that is not in memory; null if there is none. */
  @Nullable BucketState get(HitKey key, HitRequest request);

  /** Called after each request that reached a bucket, those for 0 hits too. */
  void changed(HitKey key, HitRequest request, BucketState state);

  /**
   * Called when a bucket is reset, or gives way to one with another algorithm; not if it expires.
   */
  void removed(HitKey key);
}
