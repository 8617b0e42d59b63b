package io.headgate.envoy.proxy;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/**
 * Text of clients, who may send any bytes. What is no UTF-8 is written as {@code \\xNN}, so that
 * different bytes stay different names.
 */
final class Text {

  private Text() {}

  static String of(ByteString bytes) {
    return bytes.isValidUtf8() ? bytes.toStringUtf8() : escaped(bytes);
  }

  private static String escaped(ByteString bytes) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = bytes.asReadOnlyByteBuffer();
    CharBuffer out = CharBuffer.allocate(bytes.size());
    StringBuilder text = new StringBuilder();
    while (in.hasRemaining()) {
      CoderResult result = decoder.decode(in, out, true);
      text.append(out.flip());
      out.clear();
      if (result.isError()) {
        for (int i = 0; i < result.length(); i++) {
          text.append("\\x%02X".formatted(in.get() & 0xFF));
        }
      }
      decoder.reset();
    }
    return text.toString();
  }
}
