package io.headgate.envoy.ratelimit;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;

/**
 * Reads requests written as JSON. JSON has names where the wire has numbers, so a field that the
 * generated classes do not know yet has to be added to the schema by which it is read.
 */
final class JsonRequests {

  /** {@code RateLimitDescriptor.is_negative_hits}, which came with Envoy 1.38. */
  static final FieldDescriptorProto IS_NEGATIVE_HITS =
      FieldDescriptorProto.newBuilder()
          .setName("is_negative_hits")
          .setNumber(4)
          .setType(FieldDescriptorProto.Type.TYPE_BOOL)
          .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
          .build();

  private static final JsonFormat.Parser PARSER = JsonFormat.parser();
  private static final Descriptor REQUEST = requestWithNegativeHits();

  private JsonRequests() {}

  /**
   * A request.
   *
   * @throws InvalidProtocolBufferException if it is no JSON, or none of a request
   */
  static RateLimitRequest parse(String json) throws InvalidProtocolBufferException {
    DynamicMessage.Builder request = DynamicMessage.newBuilder(REQUEST);
    PARSER.merge(json, request);
    return RateLimitRequest.parseFrom(request.build().toByteString());
  }

  private static Descriptor requestWithNegativeHits() {
    FileDescriptor common = RateLimitDescriptor.getDescriptor().getFile();
    FileDescriptor service = RateLimitRequest.getDescriptor().getFile();
    try {
      FileDescriptor extended =
          FileDescriptor.buildFrom(
              withField(common.toProto(), RateLimitDescriptor.getDescriptor()),
              common.getDependencies().toArray(new FileDescriptor[0]));
      FileDescriptor[] dependencies =
          service.getDependencies().stream()
              .map(file -> file == common ? extended : file)
              .toArray(FileDescriptor[]::new);
      return FileDescriptor.buildFrom(service.toProto(), dependencies)
          .findMessageTypeByName(RateLimitRequest.getDescriptor().getName());
    } catch (DescriptorValidationException e) {
      throw new IllegalStateException("the schema of Envoy's API with one field more", e);
    }
  }

  private static FileDescriptorProto withField(FileDescriptorProto file, Descriptor type) {
    if (type.findFieldByNumber(IS_NEGATIVE_HITS.getNumber()) != null) {
      return file; // classes that are newer know it
    }
    FileDescriptorProto.Builder extended = file.toBuilder();
    DescriptorProto.Builder message = extended.getMessageTypeBuilder(type.getIndex());
    message.addField(IS_NEGATIVE_HITS);
    return extended.build();
  }
}
