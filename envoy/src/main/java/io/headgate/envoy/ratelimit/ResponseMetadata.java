package io.headgate.envoy.ratelimit;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.headgate.envoy.ratelimit.rules.RateLimit;

/** What Envoy can log of an answer, or have later filters act on. */
final class ResponseMetadata {

  private ResponseMetadata() {}

  /** The domain, and for each descriptor its entries, hits, limit and that limit's metadata. */
  static Struct of(Answer answer) {
    Plan plan = answer.plan();
    ListValue.Builder descriptors = ListValue.newBuilder();
    for (int i = 0; i < plan.descriptors(); i++) {
      descriptors.addValues(Value.newBuilder().setStructValue(descriptor(answer, i)));
    }
    return Struct.newBuilder()
        .putFields("domain", text(plan.request().getDomain()))
        .putFields("descriptors", Value.newBuilder().setListValue(descriptors).build())
        .build();
  }

  private static Struct descriptor(Answer answer, int i) {
    ListValue.Builder entries = ListValue.newBuilder();
    for (RateLimitDescriptor.Entry entry :
        answer.plan().request().getDescriptors(i).getEntriesList()) {
      entries.addValues(text(entry.getKey() + "=" + entry.getValue()));
    }
    Struct.Builder struct =
        Struct.newBuilder()
            .putFields("entries", Value.newBuilder().setListValue(entries).build())
            .putFields("hitsAddend", number(answer.plan().hits(i)))
            .putFields("overLimit", Value.newBuilder().setBoolValue(answer.isOver(i)).build());
    RateLimit limit = answer.plan().limit(i);
    if (limit != null && limit.unit() != null) {
      struct.putFields(
          "limit",
          Value.newBuilder()
              .setStructValue(
                  Struct.newBuilder()
                      .putFields("requestsPerUnit", number(limit.requestsPerUnit()))
                      .putFields("unit", text(limit.unit().name())))
              .build());
    }
    if (limit != null && limit.metadata() != null) {
      struct.putFields("metadata", Value.newBuilder().setStructValue(limit.metadata()).build());
    }
    return struct.build();
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  private static Value number(long number) {
    return Value.newBuilder().setNumberValue(number).build();
  }
}
