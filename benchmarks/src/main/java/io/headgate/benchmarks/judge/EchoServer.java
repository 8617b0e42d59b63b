package io.headgate.benchmarks.judge;

import io.grpc.Channel;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** A gRPC service that answers a unary call with its request, and a channel to it. */
final class EchoServer implements AutoCloseable {

  /** In this process, without a socket, all on the caller's thread: the least a call can cost. */
  static final String IN_PROCESS = "in-process";

  /** Over a socket on the loopback device, by Netty. */
  static final String LOOPBACK = "loopback";

  private static final String SERVICE = "payments.v1.Payments";

  static final MethodDescriptor<byte[], byte[]> METHOD =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Charge"))
          .setRequestMarshaller(new Bytes())
          .setResponseMarshaller(new Bytes())
          .build();

  private final Server server;
  private final ManagedChannel channel;

  private EchoServer(Server server, ManagedChannel channel) {
    this.server = server;
    this.channel = channel;
  }

  /** Starts a server that is reached by this transport. */
  static EchoServer start(String transport) throws IOException {
    return transport.equals(IN_PROCESS) ? inProcess() : loopback();
  }

  private static EchoServer inProcess() throws IOException {
    String name = InProcessServerBuilder.generateName();
    Server server =
        InProcessServerBuilder.forName(name).directExecutor().addService(service()).build().start();
    return new EchoServer(server, InProcessChannelBuilder.forName(name).directExecutor().build());
  }

  private static EchoServer loopback() throws IOException {
    Server server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .directExecutor()
            .addService(service())
            .build()
            .start();
    SocketAddress address = server.getListenSockets().get(0);
    int port = ((InetSocketAddress) address).getPort();
    return new EchoServer(
        server,
        Grpc.newChannelBuilderForAddress("127.0.0.1", port, InsecureChannelCredentials.create())
            .build());
  }

  Channel channel() {
    return channel;
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.shutdownNow();
  }

  private static ServerServiceDefinition service() {
    return ServerServiceDefinition.builder(SERVICE)
        .addMethod(
            METHOD,
            ServerCalls.asyncUnaryCall(
                (request, responses) -> {
                  responses.onNext(request);
                  responses.onCompleted();
                }))
        .build();
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
