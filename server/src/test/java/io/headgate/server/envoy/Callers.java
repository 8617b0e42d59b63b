package io.headgate.server.envoy;

import io.headgate.envoy.process.EnvoyProcess;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** HTTP/1.1 and gRPC at steady rates, and wrk from a step on, through one Envoy. */
final class Callers implements AutoCloseable {

  final HttpLoad http;
  final GrpcLoad grpc;
  private final EnvoyProcess envoy;
  private final Path directory;
  private final double perSecond;
  private @Nullable WrkLoad wrk;

  /**
   * Callers at a low rate.
   *
   * @param directory for wrk's files
   * @param perSecond the rate of HTTP/1.1 after the step
   */
  Callers(EnvoyProcess envoy, Path directory, double perSecond) {
    this.directory = directory;
    this.envoy = envoy;
    this.perSecond = perSecond;
    http =
        new HttpLoad(
            envoy.listener("ingress"), "/shop.Cart/Add?customer=7", () -> "checkout", 50, 3);
    grpc = new GrpcLoad(envoy.listener("ingress"), "checkout", 200);
  }

  /** From here on there is much more. */
  void step() throws Exception {
    http.rate(perSecond);
    wrk = new WrkLoad(directory, envoy.listener("ingress"), "/shop.Cart/Add", "checkout", 5, 20);
  }

  /** What there is by now, wrk last. */
  Load[] loads() {
    return wrk == null ? new Load[] {http, grpc} : new Load[] {http, grpc, wrk};
  }

  /** How many requests were sent, but for those that wrk has not counted. */
  long sent() {
    return http.sent() + grpc.sent() + (wrk == null ? 0 : wrk.answered());
  }

  @Override
  public void close() throws Exception {
    for (Load load : loads()) {
      load.close();
    }
  }
}
