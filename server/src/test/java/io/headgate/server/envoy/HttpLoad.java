package io.headgate.server.envoy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Requests of HTTP/1.1 at a steady rate over a few connections. A connection that falls behind
 * catches up, so that the rate is held where the machine can.
 */
final class HttpLoad extends Load {

  private final InetSocketAddress target;
  private final String path;
  private final Supplier<String> callers;
  private final AtomicLong sent = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private volatile double perSecond;
  private volatile boolean closed;

  HttpLoad(
      InetSocketAddress target,
      String path,
      Supplier<String> callers,
      double perSecond,
      int connections) {
    this.target = target;
    this.path = path;
    this.callers = callers;
    this.perSecond = perSecond;
    for (int i = 0; i < connections; i++) {
      Thread thread = new Thread(() -> run(connections), "load");
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  /** Sends so many a second from now on. */
  void rate(double perSecond) {
    this.perSecond = perSecond;
  }

  private void run(int connections) {
    while (!closed) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(target.getHostString(), target.getPort()), 1_000);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(5_000);
        exchange(socket, connections);
      } catch (IOException e) {
        if (!closed) {
          noteFailed(1);
          LockSupport.parkNanos(10_000_000);
        }
      }
    }
  }

  private void exchange(Socket socket, int connections) throws IOException {
    InputStream in = new BufferedInputStream(socket.getInputStream());
    long dueNanos = System.nanoTime();
    while (!closed) {
      long nowNanos = System.nanoTime();
      if (nowNanos < dueNanos) {
        LockSupport.parkNanos(dueNanos - nowNanos);
        continue;
      }
      dueNanos += (long) (1e9 * connections / perSecond);
      dueNanos = Math.max(dueNanos, nowNanos - SLOT_NANOS);
      String request =
          "GET "
              + path
              + " HTTP/1.1\r\nhost: a\r\nx-headgate-caller: "
              + callers.get()
              + "\r\n\r\n";
      sent.incrementAndGet();
      socket.getOutputStream().write(request.getBytes(US_ASCII));
      int slot = slot();
      switch (status(in)) {
        case 200 -> notePassed(slot, 1);
        case 429 -> noteLimited(slot, 1);
        default -> noteFailed(1);
      }
    }
  }

  private static int status(InputStream in) throws IOException {
    String first = line(in);
    int length = 0;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      if (line.startsWith("content-length: ")) {
        length = Integer.parseInt(line.substring(16));
      }
    }
    in.skipNBytes(length);
    return Integer.parseInt(first.substring(9, 12));
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("connection closed");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  long sent() {
    return sent.get();
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    for (Thread thread : threads) {
      thread.join(6_000);
    }
  }
}
