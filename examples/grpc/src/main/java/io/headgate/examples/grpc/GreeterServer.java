package io.headgate.examples.grpc;

import io.grpc.Server;
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
   * @param args the port, and the address of an aggregator; by default 7201 and 127.0.0.1:7070
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 7201;
    String aggregator = args.length > 1 ? args[1] : "127.0.0.1:7070";
    HeadgateAgent agent =
        HeadgateAgent.builder()
            .service("greeter")
            .region("local")
            .zone("local-1")
            .aggregators(aggregator)
            .build();
    Server server = start(port, agent);
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

  static Server start(int port, HeadgateAgent agent) throws IOException {
    return NettyServerBuilder.forAddress(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
        .intercept(HeadgateServerInterceptor.of(agent))
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
