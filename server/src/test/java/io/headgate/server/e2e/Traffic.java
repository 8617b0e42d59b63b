package io.headgate.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.agent.Gate;
import io.headgate.agent.HeadgateAgent;
import io.headgate.core.rule.Location;
import io.headgate.server.demo.load.LoadGenerator;
import io.headgate.server.demo.measure.Census;
import io.headgate.server.demo.measure.Origin;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Calls to one service, judged at exact rates. Each caller has an agent of its own, as if it were a
 * process; calls end with the verdict, so that tens of thousands a second cost little.
 */
final class Traffic implements AutoCloseable {

  /** What all calls are of. */
  static final String PROCEDURE = "shop.v1.Shop/Buy";

  private static final long POLL_MILLIS = 20;
  private static final long WINDOW_NANOS = 400_000_000;

  private final String service;
  private final Fleet fleet;
  private final List<Member> members = new ArrayList<>();
  private double lastSeconds;
  private @Nullable LoadGenerator load;

  private Traffic(Fleet fleet, String service) {
    this.fleet = fleet;
    this.service = service;
  }

  private static final class Member {
    private final HeadgateAgent agent;
    private final Origin origin;
    private final Gate gate;
    private volatile double perSecond;
    private double due;
    private volatile long offered;
    private volatile long admitted;

    Member(HeadgateAgent agent, Gate gate, double perSecond) {
      this.agent = agent;
      this.gate = gate;
      this.perSecond = perSecond;
      origin = new Origin(agent.service(), agent.location());
    }

    void judge(double seconds) {
      due += perSecond * seconds;
      int calls = (int) due;
      due -= calls;
      int passed = 0;
      for (int i = 0; i < calls; i++) {
        passed += gate.judge().admitted() ? 1 : 0;
      }
      admitted += passed;
      offered += calls;
    }
  }

  /** Traffic to a service that has not begun. */
  static Traffic to(String service, Fleet fleet) {
    return new Traffic(fleet, service);
  }

  /** Adds a caller. */
  Traffic from(String caller, String zone, double perSecond) {
    HeadgateAgent agent =
        HeadgateAgent.builder()
            .service(caller)
            .region(zone.substring(0, zone.lastIndexOf('-')))
            .zone(zone)
            .aggregators(fleet.cluster().aggregatorAddresses(zone))
            .build();
    members.add(new Member(agent, agent.gate(service, caller, PROCEDURE), perSecond));
    return this;
  }

  /** Begins once all agents know the rules. */
  Traffic begin() {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(agents()).allMatch(agent -> agent.status().buckets() > 0));
    load = LoadGenerator.start(this::judgeUntil);
    return this;
  }

  /** Changes all rates by a factor. */
  void multiplyBy(double factor) {
    members.forEach(member -> member.perSecond *= factor);
  }

  List<HeadgateAgent> agents() {
    return members.stream().map(member -> member.agent).toList();
  }

  private void judgeUntil(double elapsedSeconds) {
    for (Member member : members) {
      member.judge(elapsedSeconds - lastSeconds);
    }
    lastSeconds = elapsedSeconds;
  }

  /** What happens from now on, for some time. */
  Observation observeFor(Duration duration) throws InterruptedException {
    Moment from = now();
    TimeUnit.NANOSECONDS.sleep(duration.toNanos());
    return Observation.between(from, now());
  }

  /** Lets the loop run for a few of its intervals. */
  void settle() throws InterruptedException {
    observeFor(Duration.ofSeconds(5));
  }

  /**
   * The seconds until something holds of what happened in the last moments.
   *
   * @param what for the message if it does not come about in {@code atMost}
   */
  double secondsUntil(String what, Duration atMost, Predicate<Observation> holds)
      throws InterruptedException {
    long began = System.nanoTime();
    Deque<Moment> moments = new ArrayDeque<>();
    moments.add(now());
    while (true) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      Moment now = now();
      moments.addLast(now);
      while (moments.size() > 2 && now.nanoTime() - moments.getFirst().nanoTime() > WINDOW_NANOS) {
        moments.removeFirst();
      }
      double elapsed = (now.nanoTime() - began) / 1e9;
      boolean whole = now.nanoTime() - moments.getFirst().nanoTime() > WINDOW_NANOS / 2;
      Observation latest = Observation.between(moments.getFirst(), now);
      if (whole && holds.test(latest)) {
        return elapsed;
      }
      assertThat(elapsed)
          .as("seconds without seeing that %s; at last %s", what, latest)
          .isLessThan(atMost.toMillis() / 1e3);
    }
  }

  /** All counts at this moment. */
  Moment now() {
    return new Moment(
        System.nanoTime(),
        members.stream().map(member -> member.origin).toList(),
        members.stream().mapToLong(member -> member.offered).toArray(),
        members.stream().mapToLong(member -> member.admitted).toArray(),
        Census.take(agents()));
  }

  /** All counts at one moment. */
  record Moment(
      long nanoTime, List<Origin> origins, long[] offered, long[] admitted, Census census) {}

  @Override
  public void close() {
    if (load != null) {
      load.close();
    }
    members.forEach(member -> member.agent.close());
  }

  /** Where a zone is. */
  static Predicate<Location> zone(String name) {
    return location -> location.zone().equals(name);
  }

  /** What is in a region. */
  static Predicate<Location> region(String name) {
    return location -> location.region().equals(name);
  }
}
