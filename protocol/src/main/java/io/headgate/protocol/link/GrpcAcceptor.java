package io.headgate.protocol.link;

import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.headgate.core.time.EventLoop;
import java.net.SocketAddress;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Serves one bidirectional streaming method, so that each call becomes a link.
 *
 * @param <InT> the messages that come in
 * @param <OutT> the messages that go out
 */
public final class GrpcAcceptor<InT, OutT> implements ServerCallHandler<InT, OutT> {

  private static final int DNS_NAME = 2;
  private static final int URI_NAME = 6;

  private final EventLoop loop;
  private final Acceptor<OutT, InT> acceptor;

  /**
   * A handler to be given to {@code ServerServiceDefinition.Builder.addMethod} with the method.
   *
   * @param method the method it will serve; gives the types
   * @param loop where the acceptor and its listeners are called
   */
  public GrpcAcceptor(
      MethodDescriptor<InT, OutT> method, EventLoop loop, Acceptor<OutT, InT> acceptor) {
    if (method.getType() != MethodDescriptor.MethodType.BIDI_STREAMING) {
      throw new IllegalArgumentException(
          "method: "
              + method.getFullMethodName()
              + " is "
              + method.getType()
              + " (expected: BIDI_STREAMING)");
    }
    this.loop = loop;
    this.acceptor = acceptor;
  }

  @Override
  public ServerCall.Listener<InT> startCall(ServerCall<InT, OutT> call, Metadata headers) {
    ServerLink<InT, OutT> link = new ServerLink<>(call, loop);
    Acceptor.Peer peer = peer(call);
    loop.execute(
        () -> {
          call.sendHeaders(new Metadata());
          link.listener = acceptor.accept(peer, link);
          call.request(1);
        });
    return link;
  }

  /** Who calls. */
  public static Acceptor.Peer peer(ServerCall<?, ?> call) {
    @Nullable SocketAddress address = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    @Nullable SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
    return new Acceptor.Peer(
        String.valueOf(address), session == null ? Set.of() : identities(session));
  }

  private static Set<String> identities(SSLSession session) {
    Set<String> names = new TreeSet<>();
    try {
      Certificate[] chain = session.getPeerCertificates();
      @Nullable Collection<List<?>> alternatives =
          chain.length > 0 && chain[0] instanceof X509Certificate leaf
              ? leaf.getSubjectAlternativeNames()
              : null;
      if (alternatives != null) {
        for (List<?> name : alternatives) {
          if (name.get(0) instanceof Integer kind && (kind == DNS_NAME || kind == URI_NAME)) {
            names.add(String.valueOf(name.get(1)));
          }
        }
      }
    } catch (SSLPeerUnverifiedException | CertificateParsingException e) {
      return Set
          .of(); // No client certificate, or none that names anybody: a peer without identity.
    }
    return names;
  }

  private static final class ServerLink<InT, OutT> extends ServerCall.Listener<InT>
      implements Link<OutT> {

    private final ServerCall<InT, OutT> call;
    private final EventLoop loop;
    private @Nullable LinkListener<InT> listener;
    private boolean over;

    ServerLink(ServerCall<InT, OutT> call, EventLoop loop) {
      this.call = call;
      this.loop = loop;
    }

    @Override
    public void send(OutT message) {
      if (!over && !call.isCancelled()) {
        call.sendMessage(message);
      }
    }

    @Override
    public boolean isReady() {
      return !over && call.isReady();
    }

    @Override
    public void close() {
      if (!over) {
        over = true;
        if (!call.isCancelled()) {
          call.close(Status.OK, new Metadata());
        }
      }
    }

    @Override
    public void onMessage(InT message) {
      loop.execute(
          () -> {
            if (!over && listener != null) {
              listener.onMessage(message);
            }
            call.request(1);
          });
    }

    @Override
    public void onReady() {
      loop.execute(
          () -> {
            if (!over && listener != null) {
              listener.onReady();
            }
          });
    }

    @Override
    public void onHalfClose() {
      loop.execute(
          () -> {
            if (!over) {
              close();
              over("ended by the peer");
            }
          });
    }

    @Override
    public void onCancel() {
      loop.execute(
          () -> {
            if (!over) {
              over = true;
              over("connection lost");
            }
          });
    }

    private void over(String reason) {
      if (listener != null) {
        listener.onClosed(reason);
      }
    }
  }
}
