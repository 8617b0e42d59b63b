package io.headgate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RendezvousTest {

  private static final List<String> THREE =
      List.of("10.0.0.1:7070", "10.0.0.2:7070", "10.0.0.3:7070");

  @Test
  void theOrderDoesNotDependOnHowAddressesAreListed() {
    List<String> turned = List.of(THREE.get(2), THREE.get(0), THREE.get(1), THREE.get(0));

    assertThat(Rendezvous.order("client", turned)).isEqualTo(Rendezvous.order("client", THREE));
  }

  @Test
  void clientsSpreadEvenlyOverFirstAndSecondChoices() {
    Map<String, Integer> firstAndSecond = new HashMap<>();
    for (int i = 0; i < 6_000; i++) {
      List<String> order = Rendezvous.order("checkout-host-" + i, THREE);
      firstAndSecond.merge(order.get(0) + " " + order.get(1), 1, Integer::sum);
    }

    assertThat(firstAndSecond).hasSize(6);
    assertThat(firstAndSecond.values()).allMatch(clients -> clients > 880 && clients < 1_120);
  }

  @Test
  void aClientMovesOnlyIfItsOwnAddressGoes() {
    for (int i = 0; i < 100; i++) {
      String client = "client-" + i;
      List<String> before = Rendezvous.order(client, THREE);

      List<String> after = Rendezvous.order(client, THREE.subList(0, 2));

      assertThat(after).isEqualTo(before.stream().filter(after::contains).toList());
    }
  }
}
