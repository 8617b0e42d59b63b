package io.headgate.server.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.headgate.fixtures.TestPem;
import io.headgate.server.Headgate;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Both ports of a server with {@code --tls-ca}. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MutualTlsTest {

  private TestPem tier;
  private TestPem stranger;
  private ServerChild server;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    tier = TestPem.make(directory, "tier");
    stranger = TestPem.make(directory, "stranger");
    Path rules = Files.createDirectory(directory.resolve("rules"));
    server =
        ServerChild.start(
            directory.resolve("server.log"),
            "--role=aggregator,controller",
            "--region=eu",
            "--zone=eu-1",
            "--rules=" + rules,
            "--listen=127.0.0.1:0",
            "--http=127.0.0.1:0",
            "--tls-cert=" + tier.certificate(),
            "--tls-key=" + tier.key(),
            "--tls-ca=" + tier.certificate(),
            "--exit-with-parent");
    server.awaitReady();
  }

  @AfterAll
  void end() throws InterruptedException {
    server.kill();
  }

  @Test
  void whoShowsAKnownCertificateIsServed() {
    assertThat(checkHealth(new TlsFiles(tier.certificate(), tier.key(), tier.certificate())))
        .isEqualTo(Status.Code.OK);
    StringWriter out = new StringWriter();
    assertThat(status(tier, out)).isZero();
    assertThat(out.toString()).contains("controller ").contains("aggregator ");
  }

  @Test
  void whoShowsNoneOrAnUnknownOneIsNot() {
    assertThat(checkHealth(null)).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(
            checkHealth(new TlsFiles(stranger.certificate(), stranger.key(), tier.certificate())))
        .isEqualTo(Status.Code.UNAVAILABLE);
    StringWriter out = new StringWriter();
    assertThat(status(stranger, out)).isEqualTo(1);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aServerThatIsNotSignedAsExpectedIsNotTrusted() {
    assertThat(checkHealth(new TlsFiles(tier.certificate(), tier.key(), stranger.certificate())))
        .isEqualTo(Status.Code.UNAVAILABLE);
  }

  private Status.Code checkHealth(TlsFiles tls) {
    ManagedChannel channel = new Channels("none", tls).apply(server.grpcAddress());
    try {
      HealthGrpc.newBlockingStub(channel)
          .withDeadlineAfter(30, TimeUnit.SECONDS)
          .check(HealthCheckRequest.getDefaultInstance());
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    } finally {
      channel.shutdownNow();
    }
  }

  private int status(TestPem client, StringWriter out) {
    return Headgate.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(new StringWriter()))
        .execute(
            "status",
            "--address=https://" + server.httpAddress(),
            "--tls-cert=" + client.certificate(),
            "--tls-key=" + client.key(),
            "--tls-ca=" + tier.certificate());
  }
}
