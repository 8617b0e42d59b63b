package io.headgate.agent.grpc;

import io.grpc.MethodDescriptor;
import io.headgate.agent.Gate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The gates of the methods that a client calls, by the identity of the method descriptor, which
 * generated stubs make once a method. Looking one up is wait-free, allocates nothing and hashes no
 * text.
 *
 * <p>A table of open addressing, at most half full, that is copied to add to it. Clients that make
 * descriptors as they go, such as proxies, fill it up; methods beyond its bound are looked up by
 * name, and so are those that have no gate of their own.
 */
final class MethodGates {

  static final int MAX_METHODS = 1024;

  private record Entry(MethodDescriptor<?, ?> method, Gate gate) {}

  private final Function<String, Gate> gateOfProcedure;
  private volatile @Nullable Entry[] table = new @Nullable Entry[16];
  private int size;

  /**
   * No gates yet.
   *
   * @param gateOfProcedure gives the gate for a method's full name
   */
  MethodGates(Function<String, Gate> gateOfProcedure) {
    this.gateOfProcedure = gateOfProcedure;
  }

  Gate of(MethodDescriptor<?, ?> method) {
    @Nullable Entry[] entries = table;
    Entry entry = entries[slot(entries, method)];
    return entry != null ? entry.gate : add(method);
  }

  private synchronized Gate add(MethodDescriptor<?, ?> method) {
    Gate gate = gateOfProcedure.apply(method.getFullMethodName());
    @Nullable Entry[] entries = table;
    if (!gate.isOverflow() && size < MAX_METHODS && entries[slot(entries, method)] == null) {
      size++;
      @Nullable Entry[] grown =
          new @Nullable Entry[2 * size > entries.length ? 2 * entries.length : entries.length];
      for (Entry entry : entries) {
        if (entry != null) {
          grown[slot(grown, entry.method)] = entry;
        }
      }
      grown[slot(grown, method)] = new Entry(method, gate);
      table = grown;
    }
    return gate;
  }

  /** Where the method is, or the free place where it belongs. */
  private static int slot(@Nullable Entry[] entries, MethodDescriptor<?, ?> method) {
    int mask = entries.length - 1;
    int slot = System.identityHashCode(method) & mask;
    for (Entry entry = entries[slot]; entry != null && entry.method != method; ) {
      slot = (slot + 1) & mask;
      entry = entries[slot];
    }
    return slot;
  }
}
