package io.headgate.server.envoy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A service that answers every request, as cheaply as can be. */
final class Upstream implements AutoCloseable {

  private static final byte[] ANSWER =
      "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok".getBytes(US_ASCII);

  private final ServerSocket socket;

  Upstream() throws IOException {
    socket = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  InetSocketAddress address() {
    return new InetSocketAddress("127.0.0.1", socket.getLocalPort());
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "upstream");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = socket.accept();
        connection.setTcpNoDelay(true);
        start(() -> serve(connection));
      }
    } catch (IOException e) {
      // Closed: the end of the test.
    }
  }

  private static void serve(Socket connection) {
    try (connection) {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(connection.getInputStream(), US_ASCII));
      OutputStream out = connection.getOutputStream();
      String line = in.readLine();
      while (line != null) {
        if (line.isEmpty()) {
          out.write(ANSWER);
        }
        line = in.readLine();
      }
    } catch (IOException e) {
      // The proxy has ended.
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
