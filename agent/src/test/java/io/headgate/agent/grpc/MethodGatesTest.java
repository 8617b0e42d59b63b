package io.headgate.agent.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.MethodDescriptor;
import io.headgate.agent.HeadgateAgent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MethodGatesTest {

  private final HeadgateAgent agent = HeadgateAgent.builder().service("checkout").build();
  private final HeadgateAgent crowded =
      HeadgateAgent.builder().service("checkout").maxGates(0).build();
  private final List<String> lookUps = new ArrayList<>();
  private final MethodGates gates =
      new MethodGates(
          procedure -> {
            lookUps.add(procedure);
            return agent.gate("payments", "checkout", procedure);
          });

  @AfterEach
  void close() {
    agent.close();
    crowded.close();
  }

  @Test
  void looksUpAMethodByNameOnce() {
    MethodDescriptor<?, ?> charge = PaymentsService.CHARGE;

    assertThat(gates.of(charge)).isSameAs(gates.of(charge));
    assertThat(gates.of(charge))
        .isSameAs(agent.gate("payments", "checkout", "payments.v1.Payments/Charge"));
    assertThat(lookUps).containsExactly("payments.v1.Payments/Charge");
  }

  @Test
  void keepsAsManyMethodsAsItsBoundAndLooksUpTheRestEachTime() {
    List<MethodDescriptor<?, ?>> methods = methods(MethodGates.MAX_METHODS + 100);
    for (int round = 0; round < 3; round++) {
      for (MethodDescriptor<?, ?> method : methods) {
        assertThat(gates.of(method).procedure()).isEqualTo(method.getFullMethodName());
      }
    }

    assertThat(lookUps).hasSize(1024 + 3 * 100);
  }

  @Test
  void keepsNoGateThatStandsForOthersToo() {
    MethodGates overflowing =
        new MethodGates(
            procedure -> {
              lookUps.add(procedure);
              return crowded.gate("payments", "checkout", procedure);
            });

    overflowing.of(PaymentsService.CHARGE);
    overflowing.of(PaymentsService.CHARGE);

    assertThat(lookUps).hasSize(2);
  }

  @Test
  void givesEveryThreadTheSameGates() {
    List<MethodDescriptor<?, ?>> methods = methods(500);
    MethodGates shared =
        new MethodGates(procedure -> agent.gate("payments", "checkout", procedure));

    List<List<String>> found =
        IntStream.range(0, 8)
            .parallel()
            .mapToObj(
                thread -> methods.stream().map(method -> shared.of(method).procedure()).toList())
            .toList();

    List<String> names = methods.stream().map(MethodDescriptor::getFullMethodName).toList();
    assertThat(found).hasSize(8).allSatisfy(each -> assertThat(each).isEqualTo(names));
  }

  private static List<MethodDescriptor<?, ?>> methods(int count) {
    List<MethodDescriptor<?, ?>> methods = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      methods.add(
          PaymentsService.CHARGE.toBuilder()
              .setFullMethodName("payments.v1.Payments/M" + i)
              .build());
    }
    return methods;
  }
}
