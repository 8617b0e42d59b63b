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
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Requests at a steady rate over a few connections, and what became of them by tenths of a second.
 * A connection that falls behind catches up, so that the rate is held.
 */
final class Load implements AutoCloseable {

  private static final long SLOT_NANOS = 100_000_000;
  private static final int SLOTS = 10_000;

  private final InetSocketAddress target;
  private final String path;
  private final Supplier<String> callers;
  private final long startNanos = System.nanoTime();
  private final AtomicLongArray passed = new AtomicLongArray(SLOTS);
  private final AtomicLongArray limited = new AtomicLongArray(SLOTS);
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private volatile double perSecond;
  private volatile boolean closed;

  Load(
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
          failed.incrementAndGet();
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
      int slot = (int) ((System.nanoTime() - startNanos) / SLOT_NANOS);
      switch (status(in)) {
        case 200 -> passed.incrementAndGet(slot);
        case 429 -> limited.incrementAndGet(slot);
        default -> failed.incrementAndGet();
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

  /** The tenth of a second that it is now. */
  int slot() {
    return (int) ((System.nanoTime() - startNanos) / SLOT_NANOS);
  }

  long passed(int from, int to) {
    return sum(passed, from, to);
  }

  long limited(int from, int to) {
    return sum(limited, from, to);
  }

  private static long sum(AtomicLongArray counts, int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += counts.get(i);
    }
    return sum;
  }

  /** The share that was limited. */
  double dropShare(int from, int to) {
    long dropped = limited(from, to);
    return (double) dropped / (dropped + passed(from, to));
  }

  long sent() {
    return sent.get();
  }

  /** Those that got neither an answer of the service nor were limited. */
  long failed() {
    return failed.get();
  }

  long allPassed() {
    return passed(0, SLOTS);
  }

  long allLimited() {
    return limited(0, SLOTS);
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    for (Thread thread : threads) {
      thread.join(6_000);
    }
  }
}
