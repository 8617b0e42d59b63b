package io.headgate.server.envoy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.grpc.InsecureServerCredentials;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A service that answers every request, as cheaply as can be: those of HTTP/1.1 itself, and
 * connections of HTTP/2 by a gRPC server behind it.
 */
final class Upstream implements AutoCloseable {

  /** What the gRPC service has; requests and answers are bytes. */
  static final MethodDescriptor<byte[], byte[]> METHOD =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("shop.Cart/Add")
          .setRequestMarshaller(new Bytes())
          .setResponseMarshaller(new Bytes())
          .build();

  private static final byte[] ANSWER =
      "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok".getBytes(US_ASCII);

  private final ServerSocket socket;
  private final Server grpc;

  Upstream() throws IOException {
    grpc =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                InsecureServerCredentials.create())
            .addService(
                ServerServiceDefinition.builder("shop.Cart")
                    .addMethod(
                        METHOD,
                        ServerCalls.asyncUnaryCall(
                            (request, answers) -> {
                              answers.onNext(request);
                              answers.onCompleted();
                            }))
                    .build())
            .directExecutor()
            .build()
            .start();
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

  private void serve(Socket connection) {
    try (connection) {
      PushbackInputStream in = new PushbackInputStream(connection.getInputStream());
      int first = in.read();
      if (first < 0) {
        return;
      }
      in.unread(first);
      if (first == 'P') { // the preface of HTTP/2 begins with PRI; there are no requests but GET
        passOn(connection, in);
      } else {
        answer(in, connection.getOutputStream());
      }
    } catch (IOException e) {
      // The proxy has ended.
    }
  }

  private static void answer(InputStream in, OutputStream out) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, US_ASCII));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.isEmpty()) {
        out.write(ANSWER);
      }
    }
  }

  private void passOn(Socket connection, InputStream in) throws IOException {
    try (Socket behind = new Socket(InetAddress.getLoopbackAddress(), grpc.getPort())) {
      behind.setTcpNoDelay(true);
      start(
          () -> {
            try {
              behind.getInputStream().transferTo(connection.getOutputStream());
            } catch (IOException e) {
              // One of them has ended.
            }
          });
      in.transferTo(behind.getOutputStream());
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
    grpc.shutdownNow();
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
