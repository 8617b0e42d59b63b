package io.headgate.envoy.bootstrap;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.net.SocketFactory;

/** An HTTP/1.1 connection on which requests go out byte by byte as a test writes them. */
final class RawHttp implements AutoCloseable {

  private final Socket socket;
  private final InputStream in;

  RawHttp(InetSocketAddress address, SocketFactory sockets) {
    try {
      socket = sockets.createSocket(address.getHostString(), address.getPort());
      socket.setSoTimeout(10_000);
      in = socket.getInputStream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  RawHttp(InetSocketAddress address) {
    this(address, SocketFactory.getDefault());
  }

  record Answer(int status, List<String> headers, String body) {

    /** The value of the header, or "absent". */
    String header(String name) {
      return headers.stream()
          .filter(header -> header.toLowerCase(Locale.ROOT).startsWith(name + ":"))
          .map(header -> header.substring(name.length() + 1).strip())
          .findFirst()
          .orElse("absent");
    }
  }

  /**
   * Sends a request without a body.
   *
   * @param target as it stands in the request line
   * @param headers lines in ISO 8859-1, so that any byte can be sent
   */
  Answer send(String method, String target, String... headers) {
    StringBuilder request = new StringBuilder(method + " " + target + " HTTP/1.1\r\nhost: a\r\n");
    for (String header : headers) {
      request.append(header).append("\r\n");
    }
    try {
      socket
          .getOutputStream()
          .write(request.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
      return read();
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + target, e);
    }
  }

  private Answer read() throws IOException {
    int status = Integer.parseInt(line().split(" ", -1)[1]);
    List<String> headers = new ArrayList<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      headers.add(line);
    }
    Answer head = new Answer(status, headers, "");
    String length = head.header("content-length");
    String body =
        length.equals("absent")
            ? ""
            : new String(in.readNBytes(Integer.parseInt(length)), StandardCharsets.ISO_8859_1);
    return new Answer(status, headers, body);
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the connection was closed after '" + line + "'");
      }
      line.write(c);
    }
    return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
