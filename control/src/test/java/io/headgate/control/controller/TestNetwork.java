package io.headgate.control.controller;

import io.headgate.control.VirtualEventLoop;
import io.headgate.protocol.link.Acceptor;
import io.headgate.protocol.link.Connector;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.v1.RegionMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Carries messages between controllers in virtual time, and fails where a test wants it to. */
final class TestNetwork {

  private final Map<String, Acceptor<RegionMessage, RegionMessage>> listening = new HashMap<>();
  private final Map<String, List<Pipe>> pipes = new HashMap<>();
  private final Set<String> frozen = new HashSet<>();

  void listen(String address, Acceptor<RegionMessage, RegionMessage> acceptor) {
    listening.put(address, acceptor);
  }

  /** Nobody listens there any more, and what is connected breaks. */
  void cut(String address) {
    listening.remove(address);
    List<Pipe> broken = pipes.remove(address);
    if (broken != null) {
      broken.forEach(Pipe::breakDown);
    }
  }

  /** Streams to this address stay open but carry nothing from now on. */
  void freeze(String address) {
    frozen.add(address);
  }

  /** What is frozen carries messages again. */
  void thaw() {
    frozen.clear();
  }

  Connector<RegionMessage, RegionMessage> connector(VirtualEventLoop loop) {
    return (address, listener) -> {
      Pipe pipe = new Pipe(address, loop, listener);
      Acceptor<RegionMessage, RegionMessage> acceptor = listening.get(address);
      if (acceptor == null) {
        loop.execute(() -> listener.onClosed("refused"));
      } else {
        pipes.computeIfAbsent(address, key -> new ArrayList<>()).add(pipe);
        pipe.accepted = acceptor.accept(new Acceptor.Peer(address, Set.of()), pipe.toDialer);
      }
      return pipe.toAcceptor;
    };
  }

  private final class Pipe {
    private final String address;
    private final VirtualEventLoop loop;
    private final LinkListener<RegionMessage> dialer;
    private final End toDialer = new End(true);
    private final End toAcceptor = new End(false);
    private LinkListener<RegionMessage> accepted;
    private boolean broken;

    Pipe(String address, VirtualEventLoop loop, LinkListener<RegionMessage> dialer) {
      this.address = address;
      this.loop = loop;
      this.dialer = dialer;
    }

    void breakDown() {
      if (!broken) {
        broken = true;
        loop.execute(() -> dialer.onClosed("connection lost"));
        loop.execute(() -> accepted.onClosed("connection lost"));
      }
    }

    private final class End implements Link<RegionMessage> {
      private final boolean down;

      End(boolean down) {
        this.down = down;
      }

      @Override
      public void send(RegionMessage message) {
        loop.execute(
            () -> {
              LinkListener<RegionMessage> to = down ? dialer : accepted;
              if (!broken && to != null && !frozen.contains(address)) {
                to.onMessage(message);
              }
            });
      }

      @Override
      public boolean isReady() {
        return !broken;
      }

      @Override
      public void close() {
        if (!broken) {
          broken = true;
          LinkListener<RegionMessage> other = down ? dialer : accepted;
          loop.execute(() -> other.onClosed("ended by the peer"));
        }
      }
    }
  }
}
