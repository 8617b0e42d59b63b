package io.headgate.benchmarks.envoy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Calls of many callers and procedures at a steady rate through a proxy, and the service behind it.
 */
final class PairLoad implements AutoCloseable {

  private static final int CONNECTIONS = 2;
  private static final byte[] ANSWER =
      "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok".getBytes(US_ASCII);
  private static final int STATUS_FROM = 9;
  private static final int STATUS_TO = 12;
  private static final String LENGTH = "content-length: ";

  private final int pairs;
  private final int hot;
  private final int perSecond;
  private final ServerSocket upstream;
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong passed = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  private volatile long droppedNanos;
  private volatile boolean closed;

  /**
   * The service, called by nobody yet.
   *
   * @param pairs how many callers there are
   * @param hot how many of these are called {@code hot-N}; the others {@code cold-N}
   */
  PairLoad(int pairs, int hot, int perSecond) throws IOException {
    this.pairs = pairs;
    this.hot = hot;
    this.perSecond = perSecond;
    upstream = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    start("upstream", this::accept);
  }

  InetSocketAddress upstream() {
    return new InetSocketAddress("127.0.0.1", upstream.getLocalPort());
  }

  private static void start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = upstream.accept();
        connection.setTcpNoDelay(true);
        start("upstream", () -> serve(connection));
      }
    } catch (IOException e) {
      closed = true; // The benchmark is over.
    }
  }

  private static void serve(Socket connection) {
    try (connection) {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(connection.getInputStream(), US_ASCII));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.isEmpty()) {
          connection.getOutputStream().write(ANSWER);
        }
      }
    } catch (IOException e) {
      // The proxy has ended.
    }
  }

  /** Begins to call. */
  void begin(InetSocketAddress proxy) {
    for (int i = 0; i < CONNECTIONS; i++) {
      start("load", () -> call(proxy));
    }
  }

  private void call(InetSocketAddress proxy) {
    try (Socket socket = new Socket(proxy.getHostString(), proxy.getPort())) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      long dueNanos = System.nanoTime();
      while (!closed) {
        long nowNanos = System.nanoTime();
        if (nowNanos < dueNanos) {
          LockSupport.parkNanos(dueNanos - nowNanos);
          continue;
        }
        dueNanos =
            Math.max(dueNanos + 1_000_000_000L * CONNECTIONS / perSecond, nowNanos - 50_000_000);
        int pair = (int) (next.getAndIncrement() * 7_919 % pairs);
        String caller = pair < hot ? "hot-" + pair : "cold-" + pair;
        socket
            .getOutputStream()
            .write(
                ("GET /pay.v1.Pay/P"
                        + pair % 5
                        + " HTTP/1.1\r\nhost: a\r\nx-headgate-caller: "
                        + caller
                        + "\r\n\r\n")
                    .getBytes(US_ASCII));
        if (status(in) == 429) {
          if (droppedNanos == 0) {
            droppedNanos = System.nanoTime();
          }
          dropped.incrementAndGet();
        } else {
          passed.incrementAndGet();
        }
      }
    } catch (IOException e) {
      closed = true;
    }
  }

  private static int status(InputStream in) throws IOException {
    String first = line(in);
    int length = 0;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      if (line.startsWith(LENGTH)) {
        length = Integer.parseInt(line.substring(LENGTH.length()));
      }
    }
    in.skipNBytes(length);
    return Integer.parseInt(first.substring(STATUS_FROM, STATUS_TO));
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the proxy closed the connection");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  /** Whether calls have ended, by a failure. */
  boolean isClosed() {
    return closed;
  }

  long passed() {
    return passed.get();
  }

  long dropped() {
    return dropped.get();
  }

  /** When the first call was dropped since {@link #awaitDrop}; 0 if none has been. */
  long droppedNanos() {
    return droppedNanos;
  }

  void awaitDrop() {
    droppedNanos = 0;
  }

  @Override
  public void close() throws IOException {
    closed = true;
    upstream.close();
  }
}
