package io.headgate.core.hits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Gubernator's API answers, and the corrected answer where Gubernator's is a defect. */
class BucketTest {

  private static final long START = Instant.parse("2019-11-11T00:00:00Z").toEpochMilli();

  private static void replay(Algorithm algorithm, long start, String requests, String expected) {
    assertThat(new Replay(algorithm, start).play(requests, expected)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          admits the limit;                          L2 D9000 h1 | h1 | h1 | h0 | +9000 h0 | +9001 h0; U1@9000 | U0@9000 | O0@9000 | U0@9000 | U0@9000 | U2@18001
          begins again when its window is over;      L2 D5 h1 | h1 | +100 h1; U1 | U0 | U1@105
          begins with its first request;             L10 D1000 h0 | +500 h1 | +1001 h1; U10@1000 | U9@1000 | U9@2001
          takes nothing of what is too much;         L2000 D1000 h1000 | h1500 | h500 | h400 | h100 | h0 | h1; U1000 | O1000 | U500 | U100 | U0 | U0 | O0
          takes nothing of a first that is too much; L10 D1000 h11 | h0 | h10 | h1; O10 | U10 | U0 | O0
          drains with what is too much;              L10 D30000 h0 DRAIN | h1 DRAIN | h100 DRAIN | h0 DRAIN | h1 DRAIN; U10 | U9 | O0 | U0 | O0
          drains with a first that is too much;      L10 D30000 h11 DRAIN | h11 DRAIN | h0 DRAIN; O0 | O0 | U0
          takes hits back;                           L2 D5000 h-1 | h-1 | h4 | h-1; U3 | U4 | U0 | U1
          forgets that it was over;                  L2 D5000 h2 | h1 | h-1 | h1 | h-2 | h1; U0 | O0 | U1 | U0 | U2 | U1
          follows its limit;                         L100 D9000 h1 | h1 | L10 h1 | h1 | L200 h1 | L150 h0; U99@9000 | U98@9000 | U7@9000 | U6@9000 | U195@9000 | U145@9000
          remembers what a lower limit hid;          L100 D9000 h50 | L40 h1 | h0 | L100 h0 | h1; U50 | O0 | U0 | U50 | U49
          follows its duration;                      L10 D5000 h3 | +1000 D8000 h1; U7@5000 | U6@8000
          is renewed by a duration that is over;     L10 D60000 h10 | +10000 D5000 h2 | h2; U0@60000 | U8@15000 | U6@15000
          is renewed by a probe too;                 L10 D60000 h3 | +10000 D5000 h0 | h0; U7@60000 | U10@15000 | U10@15000
          ends when it is reset;                     L100 D9000 h1 | h1 | h1 RESET | h1; U99 | U98 | U100@none | U99
          counts hits of a first that is reset;      L100 D9000 h1 RESET; U99@9000
          admits nothing of a limit of 0;            L0 D10000 h1 | h1 | h0; O0 | O0 | U0
          admits a probe of a limit of 0;            L0 D10000 h0; U0
          lasts a millisecond without a duration;    L10 D0 h1 | h1 | +1 h1; U9 | U8 | U9
          goes by the clock of its requests;         L10 D1000 h1 c-500 | h1 c-500 | +500 h1 | +501 h1; U9@500 | U8@500 | U7@500 | U9@1501
          limits requests older than its window;     L10 D1000 h1 c-5000 | h1 c-5000; U9@1000 | U8@1000
          admits nothing below a negative limit;     L-5 D1000 h1 | h1 | h0; O-5 | O-5 | U-5
          never overflows;                           L10 D9223372036854775807 h1 | h1; U9 | U8
          """)
  void tokenBucket(String behavior, String requests, String expected) {
    replay(Algorithm.TOKEN_BUCKET, START, requests, expected);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          leaks;                             L10 D30000 h1 | +1000 h1 | +2000 h1 | +3500 h0 | +6500 h0 | h9 | h1 | +9500 h0 | +69500 h0 | +129500 h10 | +158500 h9 | +161500 h1; U9@3000 | U8@7000 | U7@11000 | U8@9500 | U9@9500 | U0@36500 | O0@36500 | U1@36500 | U10@69500 | U0@159500 | U0@188500 | U0@191500
          leaks into a burst;                L10 D30000 B20 h1 | +1000 h1 | +2000 h1 | +3500 h0 | +6500 h0 | h19 | h1 | +9500 h0 | +69500 h0; U19@-27000 | U18@-23000 | U17@-19000 | U18@-20500 | U19@-20500 | U0@36500 | O0@36500 | U1@36500 | U20@39500
          loses no part of a hit;            L10 D30000 h10 | +4500 h1 | +6000 h1 | +7500 h1 | +9000 h1; U0 | U0 | U0 | O0 | U0
          keeps a half;                      L10 D30000 h10 | +10500 h2 | h1 | +12000 h1; U0 | U1 | U0 | U0
          is not empty before it is;         L10 D30000 h10 | h0 | +2999 h0 | +3000 h0; U0@30000 | U0@30000 | U0@32999 | U1@30000
          is full after its duration;        L10 D30000 h10 | +20000 h0 | +30000 h0 | +30001 h0; U0 | U6 | U10 | U10@30001
          takes nothing of what is too much; L2000 D1000 h1000 | h1500 | h500 | h400 | h100 | h1; U1000 | O1000 | U500 | U100 | U0 | O0
          leaks while it refuses;            L10 D30000 h10 | h100 | +3000 h100 | +6000 h100; U0 | O0 | O1 | O2
          is empty after a first that is too much; L10 D30000 h11 | h1 | +3000 h1; O0@30000 | O0 | U0@33000
          leaks several in a millisecond;    L2000 D1000 h1 | h100 | +1 h0 | +11 h0; U1999@1 | U1899@51 | U1901 | U1921
          takes hits back;                   L10 D30000 h1 | h-1 | h10 | h-1; U9 | U10@0 | U0 | U1@27000
          drains with what is too much;      L10 D30000 h0 DRAIN | h1 DRAIN | h100 DRAIN | h0 | +3000 h0 | +6000 h100 DRAIN; U10@0 | U9@3000 | O0@30000 | U0@30000 | U1@30000 | O0@36000
          follows a lower limit;             L100 D9000 h1 | L10 h1 | h1; U99@90 | U9@900 | U8@1800
          is not refilled by a lower limit;  L100 D9000 h97 | L50 h1; U3 | U2
          gets the difference of a higher limit; L10 D9000 h2 | L200 h1; U8 | U197
          gets the difference of a higher burst; L10 D9000 B10 h8 | B20 h0 | h12 | B5 h0 | B3 h0; U2 | U12 | U0 | U0 | U0
          leaks at a new rate;               L100 D10000 B100 h97 | L50 h1 | +1000 h0; U3 | U2@9600 | U7@9600
          is full when it is reset, and counts; L10 D30000 h5 | h1 RESET | h0 RESET; U5 | U9 | U10@0
          counts hits of a first that is reset; L10 D30000 h1 RESET | h11 RESET | h11 RESET DRAIN; U9 | O10 | O0
          admits nothing of a limit of 0;    L0 D10000 h1 | h1 | h0; O0 | O0 | U0@0
          lasts a millisecond without a duration; L10 D0 h1 | h1 | +1 h1; U9 | U8 | U9
          leaks steadily;                    L10 D30000 h1 | +1000 h1 | +2000 h1 | +3000 h1 | +4000 h1 | +5000 h1 | +6000 h1 | +7000 h1; U9 | U8 | U7 | U7 | U6 | U5 | U5 | U4
          is never above its burst;          L10 D30000 h1 | +600000 h0; U9 | U10
          does not leak backwards;           L10 D30000 h5 | +3000 h0 c-3000 | h0; U5 | U5 | U6
          """)
  void leakyBucket(String behavior, String requests, String expected) {
    replay(Algorithm.LEAKY_BUCKET, START, requests, expected);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          TOKEN_BUCKET; 30000; L60 D0 h1 GREG | h1 GREG | h58 GREG | h1 GREG | +29999 h0 GREG | +30000 h0 GREG; U59@29999 | U58@29999 | U0@29999 | O0@29999 | U0@29999 | U60@89999
          TOKEN_BUCKET; 0;     L60 D1 h1 GREG | D2 h1 GREG | D4 h1 GREG | D5 h1 GREG; U59@3599999 | U58@86399999 | U57@1727999999 | U56@4406399999
          LEAKY_BUCKET; 0;     L60 D0 h1 GREG | +500 h1 GREG | +1700 h1 GREG | +60000 h0 GREG; U59@1000 | U58@2500 | U58@3700 | U60
          LEAKY_BUCKET; 1200000; L60 D1 h30 GREG | h10 GREG | +60000 h0 GREG; U30@1800000 | U20@2400000 | U21@2400000
          LEAKY_BUCKET; 43200000; L24 D2 h1 GREG | h1 GREG | +3600000 h0 GREG; U23@3600000 | U22@7200000 | U23@7200000
          LEAKY_BUCKET; 0;     L60 D4 h30 GREG | h10 GREG | +86400000 h0 GREG; U30 | U20 | U22
          LEAKY_BUCKET; 0;     L365 D5 h30 GREG | +86400000 h0 GREG; U335 | U336
          """)
  void calendar(Algorithm algorithm, long fromStart, String requests, String expected) {
    replay(algorithm, START + fromStart, requests, expected);
  }

  @Test
  void slidingWindowNeverExceedsItsEstimate() {
    // 42 of 50 a minute, then 18 when nothing of them has slid out yet: 8 at most go through.
    replay(
        Algorithm.SLIDING_WINDOW,
        START,
        "L50 D60000 h42 | +60000 h18 | h8 | +75000 h9 | h10 | h2",
        "U8 | O8 | U0 | U1 | O1 | O1");
  }

  @Test
  void gcraSaysTheMomentAtWhichItIsFull() {
    replay(
        Algorithm.GCRA,
        START,
        "L10 D30000 h11 | h5 | +1000 h5 | +1000 h1 | +3000 h1",
        "O10@0 | U5@15000 | U0@30000 | O0@30000 | U0@33000");
  }

  @ParameterizedTest
  @CsvSource({
    "MINUTE, 2019-11-11T00:00:30Z, 1573430459999",
    "HOUR, 2019-11-11T00:20:01Z, 1573433999999",
    "DAY, 2019-11-11T00:20:01Z, 1573516799999",
    "WEEK, 2019-11-13T12:00:00Z, 1574035199999",
    "WEEK, 2019-11-17T12:00:00Z, 1574035199999",
    "MONTH, 2019-11-11T00:20:01Z, 1575158399999",
    "YEAR, 2019-03-01T00:00:00Z, 1577836799999"
  })
  void calendarUnitsEndWithTheirLastMillisecond(CalendarUnit unit, Instant time, long end) {
    assertThat(unit.at(time.toEpochMilli(), ZoneOffset.UTC).end()).isEqualTo(end);
  }

  @Test
  void daysMayHave25Hours() {
    long noon = Instant.parse("2026-10-25T12:00:00Z").toEpochMilli();
    assertThat(CalendarUnit.DAY.at(noon, ZoneId.of("Europe/Berlin")).length())
        .isEqualTo(25 * 3_600_000L);
  }

  @ParameterizedTest
  @CsvSource({"TOKEN_BUCKET", "LEAKY_BUCKET", "SLIDING_WINDOW", "GCRA"})
  void anUnknownCalendarUnitIsAnError(Algorithm algorithm) {
    Replay replay = new Replay(algorithm, START);
    assertThatThrownBy(() -> replay.play("L10 D99 h1 GREG", ""))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "behavior DURATION_IS_GREGORIAN is set; but `Duration` is not a valid gregorian"
                + " interval");
  }
}
