package io.headgate.envoy.ratelimit;

import com.google.protobuf.UnknownFieldSet;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.headgate.envoy.ratelimit.rules.RateLimit;
import io.headgate.envoy.ratelimit.rules.RateLimitRules;
import io.headgate.keyed.Hit;
import io.headgate.keyed.NamedLimit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is to be asked for a request, and where in the answer each of its descriptors is. */
final class Plan {

  private static final int IS_NEGATIVE_HITS = JsonRequests.IS_NEGATIVE_HITS.getNumber();

  /** A descriptor for which nothing is asked. */
  private static final int NOWHERE = -1;

  private final RateLimitRequest request;
  private final RateLimitRules.@Nullable Match[] matches;
  private final long[] hits;
  private final boolean[] negative;
  private final int[] places;
  private final List<Hit> asked = new ArrayList<>(4);
  private final List<Hit> restored = new ArrayList<>(0);
  private final boolean allQuota;
  private final boolean allShadow;
  private int quotas;
  private boolean banned;

  private Plan(RateLimitRequest request, ServiceSettings settings) {
    this.request = request;
    int descriptors = request.getDescriptorsCount();
    matches = new RateLimitRules.Match[descriptors];
    hits = new long[descriptors];
    negative = new boolean[descriptors];
    places = new int[descriptors];
    allQuota = settings.quota();
    allShadow = settings.shadow();
  }

  static Plan of(RateLimitRequest request, RateLimitRules rules, ServiceSettings settings) {
    Plan plan = new Plan(request, settings);
    plan.match(rules);
    plan.replace();
    plan.weigh();
    plan.ask();
    return plan;
  }

  private void match(RateLimitRules rules) {
    long ofRequest = Math.max(1, Integer.toUnsignedLong(request.getHitsAddend()));
    for (int i = 0; i < matches.length; i++) {
      RateLimitDescriptor descriptor = request.getDescriptors(i);
      matches[i] = rules.match(request.getDomain(), descriptor);
      hits[i] = descriptor.hasHitsAddend() ? own(descriptor) : ofRequest;
      negative[i] = isNegative(descriptor);
      places[i] = NOWHERE;
    }
  }

  /** An unsigned number of 64 bits; no limit is as large as those that are negative here. */
  private static long own(RateLimitDescriptor descriptor) {
    long value = descriptor.getHitsAddend().getValue();
    return value < 0 ? Long.MAX_VALUE : value;
  }

  private static boolean isNegative(RateLimitDescriptor descriptor) {
    UnknownFieldSet unknown = descriptor.getUnknownFields();
    if (!unknown.hasField(IS_NEGATIVE_HITS)) {
      return false;
    }
    List<Long> values = unknown.getField(IS_NEGATIVE_HITS).getVarintList();
    return !values.isEmpty() && values.get(values.size() - 1) != 0;
  }

  /** Takes out what another limit of the request stands for. */
  private void replace() {
    for (int i = 0; i < matches.length; i++) {
      RateLimitRules.Match match = matches[i];
      if (match == null || match.limit().replaces().isEmpty()) {
        continue;
      }
      for (int j = 0; j < matches.length; j++) {
        RateLimitRules.Match other = matches[j];
        if (j != i && other != null && match.limit().replaces().contains(other.limit().name())) {
          matches[j] = null;
        }
      }
    }
  }

  private void weigh() {
    for (int i = 0; i < matches.length; i++) {
      quotas += isQuota(i) ? 1 : 0;
    }
    for (int i = 0; i < matches.length; i++) {
      RateLimit limit = limit(i);
      banned |= limit != null && limit.isBan() && isEnforced(i, limit);
    }
  }

  private void ask() {
    for (int i = 0; i < matches.length; i++) {
      RateLimitRules.Match match = matches[i];
      if (match == null || match.limit().counted() == null) {
        continue;
      }
      if (negative[i]) {
        places[i] = add(restored, match.limit().counted(), match.key(), hits[i]);
      } else {
        NamedLimit counted =
            isEnforced(i, match.limit())
                ? match.limit().counted()
                : match.limit().countedInShadow();
        // What is refused anyway is charged nowhere.
        places[i] = add(asked, counted, match.key(), banned ? 0 : hits[i]);
      }
    }
  }

  /** The place of a hit; two of one key are one, with the sum of their costs. */
  private static int add(List<Hit> hits, @Nullable NamedLimit limit, String key, long cost) {
    if (limit == null) {
      return NOWHERE;
    }
    for (int i = 0; i < hits.size(); i++) {
      Hit present = hits.get(i);
      if (present.key().equals(key) && present.limit().name().equals(limit.name())) {
        long sum = present.cost() + cost;
        NamedLimit stricter = present.limit().shadow() ? limit : present.limit();
        hits.set(i, new Hit(stricter, key, sum < 0 ? Long.MAX_VALUE : sum));
        return i;
      }
    }
    hits.add(new Hit(limit, key, cost));
    return hits.size() - 1;
  }

  /** One quota alone is a limit like any other. */
  private boolean isEnforced(int i, RateLimit limit) {
    return !allShadow && !negative[i] && !limit.isShadow() && (quotas == 1 || !isQuota(i));
  }

  RateLimitRequest request() {
    return request;
  }

  int descriptors() {
    return matches.length;
  }

  /** The limit that a descriptor meets and that is not replaced, or null. */
  @Nullable RateLimit limit(int i) {
    RateLimitRules.Match match = matches[i];
    return match == null ? null : match.limit();
  }

  /** Under what the metrics of a descriptor with a limit are. */
  String metric(int i) {
    RateLimitRules.Match match = matches[i];
    if (match == null) {
      throw new IllegalStateException("descriptor " + i + " has no limit");
    }
    return match.metric();
  }

  /** How many hits a descriptor stands for, 0 or more. */
  long hits(int i) {
    return hits[i];
  }

  /** Whether a descriptor gives its hits back. */
  boolean isNegative(int i) {
    return negative[i];
  }

  /** Whether a descriptor is one of the quotas of which all must be over. */
  boolean isQuota(int i) {
    RateLimit limit = limit(i);
    return limit != null
        && !limit.isUnlimited()
        && !limit.isShadow()
        && !negative[i]
        && (allQuota || limit.isQuota());
  }

  /** Whether quotas decide together. */
  boolean hasQuotas() {
    return quotas > 1 && !allShadow;
  }

  /** Whether a limit refuses the request whatever the counts are. */
  boolean isBanned() {
    return banned;
  }

  /** What is taken, if all of it can be. */
  List<Hit> asked() {
    return asked;
  }

  /** What is given back. */
  List<Hit> restored() {
    return restored;
  }

  /** Where a descriptor is among what is asked or restored; negative if nowhere. */
  int place(int i) {
    return places[i];
  }
}
