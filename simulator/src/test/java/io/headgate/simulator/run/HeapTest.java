package io.headgate.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.simulator.scenario.Catalogue;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What others allocate meanwhile would count here too. */
@Isolated
class HeapTest {

  /** Agents, aggregators and controllers of a day, over its noon and a spike of fifteen times. */
  @Tag("process")
  @Test
  void theHeapStaysFlatOverADay() {
    ScenarioRun run = ScenarioRun.begin(Catalogue.get("day"), 1);
    heapAfter(run, 0, 100); // what this process was about to forget

    double atFirst = heapAfter(run, 100, 300);
    double later = heapAfter(run, 300, 760);

    assertThat(later).isCloseTo(atFirst, within(0.05 * atFirst));
  }

  private static double heapAfter(ScenarioRun run, int fromSeconds, int untilSeconds) {
    for (int seconds = fromSeconds + 10; seconds <= untilSeconds; seconds += 10) {
      run.runUntil(seconds);
      run.look(); // takes what it has written down
    }
    System.gc();
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
