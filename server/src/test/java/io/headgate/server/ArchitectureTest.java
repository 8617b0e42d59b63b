package io.headgate.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Keeps the arrows of ARCHITECTURE.md. */
class ArchitectureTest {

  private static final JavaClasses HEADGATE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.headgate");

  @Test
  void coreDependsOnNothingButTheLanguage() {
    classes()
        .that()
        .resideInAPackage("io.headgate.core..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("io.headgate.core..", "java..", "org.jspecify..")
        .check(HEADGATE);
  }

  @Test
  void protocolDependsOnCoreAndOnGrpc() {
    classes()
        .that()
        .resideInAPackage("io.headgate.protocol..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.headgate.core..",
            "io.headgate.protocol..",
            "io.grpc..",
            "com.google.protobuf..",
            "com.google.common.util.concurrent..", // the futures of generated stubs
            "java..",
            "javax.net.ssl..",
            "org.jspecify..")
        .check(HEADGATE);
  }

  @Test
  void theAgentStaysSmallEnoughToEmbed() {
    classes()
        .that()
        .resideInAPackage("io.headgate.agent..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.headgate.core..",
            "io.headgate.protocol..",
            "io.headgate.agent..",
            "io.grpc..",
            "com.google.protobuf..",
            "com.google.rpc..",
            "jakarta.servlet..",
            "java..",
            "javax.net.ssl..",
            "org.jspecify..")
        .check(HEADGATE);
  }

  @Test
  void onlyAdaptersKnowWhatTheyAdaptTo() {
    noClasses()
        .that()
        .resideInAPackage("io.headgate.agent..")
        .and()
        .resideOutsideOfPackage("io.headgate.agent.servlet..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("jakarta.servlet..")
        .check(HEADGATE);
  }

  @Test
  void controlKnowsNeitherTheAgentNorThePages() {
    noClasses()
        .that()
        .resideInAPackage("io.headgate.control..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.headgate.agent..",
            "io.headgate.server..",
            "com.linecorp.armeria..",
            "com.fasterxml.jackson..",
            "picocli..")
        .check(HEADGATE);
  }

  @Test
  void keyedLimitsKnowNeitherTheAgentNorControl() {
    noClasses()
        .that()
        .resideInAPackage("io.headgate.keyed..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.headgate.agent..",
            "io.headgate.control..",
            "io.headgate.server..",
            "io.headgate.simulator..")
        .check(HEADGATE);
    noClasses()
        .that()
        .resideInAnyPackage("io.headgate.agent..", "io.headgate.control..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.headgate.keyed..")
        .check(HEADGATE);
  }

  /**
   * Whoever limits in the process alone brings neither Redis nor servlets nor metrics nor ways to
   * find peers.
   */
  @Test
  void librariesOfKeyedLimitsStayInTheirPackages() {
    onlyIn("io.headgate.keyed.redis..", "io.lettuce..");
    onlyIn("io.headgate.keyed.metrics..", "io.micrometer..");
    onlyIn("io.headgate.keyed.servlet..", "jakarta.servlet..", "com.nimbusds..");
    onlyIn("io.headgate.keyed.ring.discovery.json..", "com.fasterxml.jackson..");
    onlyIn("io.headgate.keyed.ring.discovery.dns..", "io.netty.resolver..");
    onlyIn("io.headgate.keyed.ring.discovery.etcd..", "io.etcd..");
    onlyIn("io.headgate.keyed.ring.discovery.kubernetes..", "io.fabric8..");
  }

  private static void onlyIn(String room, String... libraries) {
    noClasses()
        .that()
        .resideInAPackage("io.headgate.keyed..")
        .and()
        .resideOutsideOfPackage(room)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(libraries)
        .check(HEADGATE);
  }

  /** Envoy's messages, and the classes of others that their jar holds, stay in one room. */
  @Test
  void envoysMessagesStayInTheRoomForEnvoy() {
    noClasses()
        .that()
        .resideInAPackage("io.headgate..")
        .and()
        .resideOutsideOfPackage("io.headgate.envoy..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.envoyproxy..", "io.prometheus.client..", "com.github.xds..")
        .check(HEADGATE);
  }

  @Test
  void agentControlAndKeyedLimitsDoNotKnowEnvoy() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.headgate.core..",
            "io.headgate.protocol..",
            "io.headgate.agent..",
            "io.headgate.control..",
            "io.headgate.keyed..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.headgate.envoy..")
        .check(HEADGATE);
  }

  /** A proxy is told what the control plane decided, by the agent's door; there is one law. */
  @Test
  void theDataPlaneOfProxiesIsAClientOfTheControlPlane() {
    noClasses()
        .that()
        .resideInAPackage("io.headgate.envoy.proxy..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.headgate.control..", "io.headgate.keyed..")
        .check(HEADGATE);
  }

  @Test
  void nothingKnowsTheServer() {
    noClasses()
        .that()
        .resideInAPackage("io.headgate..")
        .and()
        .resideOutsideOfPackage("io.headgate.server..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.headgate.server..")
        .check(HEADGATE);
  }

  /** The same state machines run in virtual time, under a simulated network. */
  @Test
  void tiersKnowNeitherThreadsNorGrpc() {
    noClasses()
        .that()
        .resideInAnyPackage("io.headgate.control.aggregator..", "io.headgate.control.controller..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.grpc..")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Thread.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(java.util.concurrent.Executor.class)
        .check(HEADGATE);
  }

  @Test
  void tiersAndLawHaveNoClockOfTheirOwn() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.headgate.core..",
            "io.headgate.control.aggregator..",
            "io.headgate.control.controller..")
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(java.time.Instant.class, "now")
        .check(HEADGATE);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.headgate.(**)").should().beFreeOfCycles().check(HEADGATE);
  }
}
