package io.headgate.benchmarks.loop;

import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.stub.StreamObserver;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.protocol.v1.AggregationGrpc;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.Rules;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The peer of the loop benchmark: a gRPC server that takes what an aggregator takes, reads each
 * message and answers each report, but adds nothing up. What it costs, gRPC costs. It gives the
 * rules that were written to a file, and directives without a row.
 */
public final class BareAggregator extends AggregationGrpc.AggregationImplBase {

  private static final int TTL_MILLIS = 5000;

  private final Rules rules;

  private BareAggregator(Rules rules) {
    this.rules = rules;
  }

  /**
   * Serves until standard input ends.
   *
   * @param args the file that holds the {@link Rules} to answer with
   */
  public static void main(String[] args) throws IOException {
    Rules rules = Rules.parseFrom(Files.readAllBytes(Path.of(args[0])));
    Server server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addService(new BareAggregator(rules))
            .build()
            .start();
    int port = ((InetSocketAddress) server.getListenSockets().get(0)).getPort();
    System.out.println("ready: grpc 127.0.0.1:" + port);
    System.in.transferTo(OutputStream.nullOutputStream());
    server.shutdownNow();
  }

  @Override
  public StreamObserver<AgentMessage> connect(StreamObserver<AgentDirection> answers) {
    return new StreamObserver<>() {
      @Override
      public void onNext(AgentMessage message) {
        if (message.hasSubscribe()) {
          answers.onNext(AgentDirection.newBuilder().setRules(rules).build());
        } else if (message.hasReport()) {
          answers.onNext(
              AgentDirection.newBuilder()
                  .setDirectives(
                      Directives.newBuilder()
                          .setConfigVersion(rules.getConfigVersion())
                          .setTtlMillis(TTL_MILLIS))
                  .build());
        }
      }

      @Override
      public void onError(Throwable failure) {} // An agent that is gone; there will be more.

      @Override
      public void onCompleted() {
        answers.onCompleted();
      }
    };
  }
}
