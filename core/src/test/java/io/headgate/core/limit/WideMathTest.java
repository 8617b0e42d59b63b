package io.headgate.core.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class WideMathTest {

  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  @Property(tries = 10_000)
  void equalsUnboundedArithmetic(
      @ForAll @LongRange(max = Long.MAX_VALUE) long a,
      @ForAll @LongRange(max = Long.MAX_VALUE) long b,
      @ForAll @LongRange(max = Long.MAX_VALUE) long c,
      @ForAll @LongRange(min = 1, max = Long.MAX_VALUE) long d) {
    BigInteger exact =
        BigInteger.valueOf(a)
            .multiply(BigInteger.valueOf(b))
            .add(BigInteger.valueOf(c))
            .divide(BigInteger.valueOf(d));

    assertThat(WideMath.multiplyAddDivide(a, b, c, d)).isEqualTo(exact.min(MAX).longValueExact());
  }
}
