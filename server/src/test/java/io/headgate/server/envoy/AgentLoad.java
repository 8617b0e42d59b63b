package io.headgate.server.envoy;

import io.headgate.agent.Gate;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Calls that an agent judges, at a steady rate. */
final class AgentLoad extends Load {

  private final AtomicLong sent = new AtomicLong();
  private final Thread thread;
  private volatile boolean closed;

  AgentLoad(Gate gate, double perSecond) {
    thread = new Thread(() -> run(gate, perSecond), "agent load");
    thread.setDaemon(true);
    thread.start();
  }

  private void run(Gate gate, double perSecond) {
    long dueNanos = System.nanoTime();
    while (!closed) {
      long nowNanos = System.nanoTime();
      while (dueNanos < nowNanos) {
        dueNanos += (long) (1e9 / perSecond);
        sent.incrementAndGet();
        if (gate.judge().admitted()) {
          notePassed(slot(), 1);
        } else {
          noteLimited(slot(), 1);
        }
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  long sent() {
    return sent.get();
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.join();
  }
}
