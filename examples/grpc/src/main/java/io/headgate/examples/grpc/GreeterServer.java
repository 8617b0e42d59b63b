package io.headgate.examples.grpc;

import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.headgate.agent.HeadgateAgent;
import io.headgate.agent.grpc.HeadgateServerInterceptor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A service that limits what comes in. */
public final class GreeterServer {

  private GreeterServer() {}

  /**
   * Serves on a port until the process is ended.
   *
   * @param args the port, by default 7201; {@code ingress} (the default) to limit what comes in, or
   *     {@code none}; the address of an aggregator, by default 127.0.0.1:7070
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 7201;
    boolean ingress = args.length <= 1 || args[1].equals("ingress");
    HeadgateAgent agent =
        HeadgateAgent.builder()
            .service("greeter")
            .region("local")
            .zone("local-1")
            .aggregators(args.length > 2 ? args[2] : "127.0.0.1:7070")
            .build();
    Server server = ingress ? start(port, HeadgateServerInterceptor.of(agent)) : start(port);
    System.out.println("greeter: on 127.0.0.1:" + server.getPort());
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  server.shutdown();
                  agent.close();
                }));
    server.awaitTermination();
  }

  static Server start(int port, ServerInterceptor... interceptors) throws IOException {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    for (ServerInterceptor interceptor : interceptors) {
      builder.intercept(interceptor);
    }
    return builder
        .addService(
            ServerServiceDefinition.builder(Greeter.SERVICE)
                .addMethod(
                    Greeter.GREET,
                    ServerCalls.asyncUnaryCall(
                        (name, response) -> {
                          response.onNext("Hello, " + name + "!");
                          response.onCompleted();
                        }))
                .build())
        .build()
        .start();
  }
}
