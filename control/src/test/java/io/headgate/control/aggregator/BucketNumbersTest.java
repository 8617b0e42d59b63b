package io.headgate.control.aggregator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BucketNumbersTest {

  /** Numbers in turn, from another one on, and in an order that turns odd after a while. */
  @ParameterizedTest
  @ValueSource(
      strings = {"1 2 3 4 5 6 7 8 9", "2 3 4 5 6", "1 2 3 9 4 5 6 7 8", "7 1", "1 2 3 9 8"})
  void eachNumberFindsWhatItWasGivenTo(String numbers) {
    BucketNumbers defined = new BucketNumbers();
    Map<Integer, Integer> model = new HashMap<>();
    int bucket = 100;
    for (String number : numbers.split(" ")) {
      int id = Integer.parseInt(number);
      defined.define(id, bucket);
      model.put(id, bucket++);
    }

    assertThat(defined.count()).isEqualTo(model.size());
    for (int id = -1; id < 20; id++) {
      int slot = defined.slot(id);
      if (model.containsKey(id)) {
        assertThat(defined.id(slot)).isEqualTo(id);
        assertThat(defined.bucket(slot)).isEqualTo(model.get(id));
      } else {
        assertThat(slot).isEqualTo(-1);
      }
    }
  }
}
