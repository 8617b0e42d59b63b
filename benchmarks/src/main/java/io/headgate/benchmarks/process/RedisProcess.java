package io.headgate.benchmarks.process;

import io.headgate.benchmarks.BenchmarkFailure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;

/** A redis-server on this machine, without persistence. */
public final class RedisProcess implements AutoCloseable {

  private static final int TRIES = 200;
  private static final long PAUSE_MILLIS = 50;

  private final Process process;
  private final int port;

  private RedisProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts one, and waits until it serves. */
  public static RedisProcess start() throws InterruptedException {
    try {
      int port;
      try (ServerSocket socket = new ServerSocket(0)) {
        port = socket.getLocalPort();
      }
      Process process =
          new ProcessBuilder(
                  List.of("redis-server", "--port", "" + port, "--bind", "127.0.0.1", "--save", ""))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      RedisProcess redis = new RedisProcess(process, port);
      redis.await();
      return redis;
    } catch (IOException e) {
      throw new BenchmarkFailure("redis-server: cannot start (expected: on the path)", e);
    }
  }

  private void await() throws InterruptedException {
    for (int tries = 0; tries < TRIES; tries++) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress("127.0.0.1", port), 1000);
        return;
      } catch (IOException e) {
        Thread.sleep(PAUSE_MILLIS); // it is not up yet
      }
    }
    close();
    throw new BenchmarkFailure("redis-server: not up after 10 s", new IOException("timeout"));
  }

  /** Where it is. */
  public String uri() {
    return "redis://127.0.0.1:" + port;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
