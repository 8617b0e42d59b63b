package io.headgate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class RunTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void a_name_that_is_not_there_is_an_error_that_lists_those_that_are() {
    assertThat(run("jugde")).isEqualTo(2);
    assertThat(err.toString()).startsWith("benchmark: 'jugde' (expected: one of fast, broken)");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void no_name_is_an_error_that_lists_them_too() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).startsWith("benchmark: none given (expected: one of fast, broken)");
  }

  @Test
  void the_list_has_each_with_what_it_measures() {
    assertThat(run("--list")).isZero();
    assertThat(out.toString().lines()).containsExactly("fast     nothing", "broken   nothing");
  }

  @Test
  void json_is_one_line_a_figure_and_nothing_else_on_standard_output() throws Exception {
    assertThat(run("fast", "--json")).isZero();

    ObjectMapper json = new ObjectMapper();
    assertThat(out.toString().lines()).hasSize(2);
    assertThat(json.readTree(out.toString().lines().toList().get(0)))
        .isEqualTo(
            json.readTree(
                """
                {"benchmark": "fast", "case": "one", "subject": "headgate", "metric": "time",
                 "value": 8.5, "error": 0.25, "unit": "ns/op"}"""));
    assertThat(json.readTree(out.toString().lines().toList().get(1)).get("error").isNull())
        .isTrue();
    assertThat(err.toString()).contains("half way");
  }

  @Test
  void without_json_the_figures_are_a_table() {
    assertThat(run("fast", "--quick")).isZero();
    assertThat(out.toString()).contains("fast --quick on").contains("QUICK").contains("2.00 x");
  }

  @Test
  void a_failure_is_told_in_one_line() {
    assertThat(run("broken")).isEqualTo(1);
    assertThat(err.toString().lines()).last().isEqualTo("benchmarks/run: no luck today");
  }

  private int run(String... args) {
    return Run.commandLine(List.of(new Fast(), new Broken()))
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }

  private record Fast() implements Benchmark {

    @Override
    public String name() {
      return "fast";
    }

    @Override
    public String summary() {
      return "nothing";
    }

    @Override
    public void run(Effort effort, Consumer<Figure> figures, Consumer<String> progress) {
      figures.accept(new Figure("fast", "one", "headgate", "time", 8.5, 0.25, "ns/op"));
      progress.accept("half way");
      figures.accept(new Figure("fast", "one", "peer", "time", 17, null, effort.name()));
    }
  }

  private record Broken() implements Benchmark {

    @Override
    public String name() {
      return "broken";
    }

    @Override
    public String summary() {
      return "nothing";
    }

    @Override
    public void run(Effort effort, Consumer<Figure> figures, Consumer<String> progress) {
      throw new BenchmarkFailure("no luck today");
    }
  }
}
