package io.headgate.examples.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The contract of the service, as generated code would hold it. Messages are plain text. */
final class Greeter {

  static final String SERVICE = "example.v1.Greeter";

  static final MethodDescriptor<String, String> GREET =
      MethodDescriptor.<String, String>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Greet"))
          .setRequestMarshaller(new Text())
          .setResponseMarshaller(new Text())
          .build();

  private Greeter() {}

  private static final class Text implements MethodDescriptor.Marshaller<String> {

    @Override
    public InputStream stream(String text) {
      return new ByteArrayInputStream(text.getBytes(UTF_8));
    }

    @Override
    public String parse(InputStream stream) {
      try {
        return new String(stream.readAllBytes(), UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
