package io.headgate.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The shape of the machine on which figures were measured.
 *
 * @param cores processors that this process may use
 * @param processor the processor's model; its architecture where the model is not known
 * @param memory all main memory, such as {@code 24 GB}; empty where it is not known
 * @param system the operating system
 * @param jdk the Java virtual machine that runs the benchmark
 */
record Machine(int cores, String processor, String memory, String system, String jdk) {

  private static final double KILOBYTES_PER_GIGABYTE = 1024 * 1024;

  /** This machine. */
  static Machine current() {
    return new Machine(
        Runtime.getRuntime().availableProcessors(),
        firstValue(Path.of("/proc/cpuinfo"), "model name", System.getProperty("os.arch", "")),
        memory(firstValue(Path.of("/proc/meminfo"), "MemTotal", "")),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.vm.name")
            + " "
            + System.getProperty("java.runtime.version")
            + " ("
            + System.getProperty("java.vendor")
            + ")");
  }

  /** One line for a person. */
  @Override
  public String toString() {
    return cores
        + (cores == 1 ? " core, " : " cores, ")
        + processor
        + (memory.isEmpty() ? "" : ", " + memory)
        + ", "
        + system
        + ", "
        + jdk;
  }

  private static String memory(String kilobytes) {
    String digits = kilobytes.replace("kB", "").strip();
    return digits.isEmpty()
        ? ""
        : String.format(Locale.ROOT, "%.0f GB", Long.parseLong(digits) / KILOBYTES_PER_GIGABYTE);
  }

  /** The value after {@code key} and a colon; only Linux has such files. */
  private static String firstValue(Path file, String key, String otherwise) {
    if (!Files.isReadable(file)) {
      return otherwise;
    }
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(key))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(otherwise);
    } catch (IOException e) {
      return otherwise; // A nicety of the heading; no reason to fail.
    }
  }
}
