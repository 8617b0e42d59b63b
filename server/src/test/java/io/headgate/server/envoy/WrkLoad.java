package io.headgate.server.envoy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Requests by wrk until it is closed, each connection with a pause before each request. What became
 * of them is known then; those that are on their way at the end wrk does not count.
 */
final class WrkLoad extends Load {

  private static final String SCRIPT =
      """
      local ffi = require("ffi")
      ffi.cdef("typedef struct { long s; long us; } timeval; int gettimeofday(timeval *t, void *z);")
      local now = ffi.new("timeval")
      local threads = {}
      function setup(thread) table.insert(threads, thread) end
      passed, limited, failed = {}, {}, 0
      function delay() return %d end
      function response(status)
        ffi.C.gettimeofday(now, nil)
        local slot = tonumber(now.s) * 10 + math.floor(tonumber(now.us) / 100000)
        if status == 200 then passed[slot] = (passed[slot] or 0) + 1
        elseif status == 429 then limited[slot] = (limited[slot] or 0) + 1
        else failed = failed + 1 end
      end
      function done()
        for _, thread in ipairs(threads) do
          for slot, n in pairs(thread:get("passed")) do print("passed", slot, n) end
          for slot, n in pairs(thread:get("limited")) do print("limited", slot, n) end
          print("failed", 0, thread:get("failed"))
        end
      end
      """;

  private final Process process;
  private final Path out;
  private boolean read;

  WrkLoad(
      Path directory,
      InetSocketAddress target,
      String path,
      String caller,
      int connections,
      int pauseMillis)
      throws IOException {
    out = Files.createTempFile(directory, "wrk", ".out");
    Path script = Files.createTempFile(directory, "wrk", ".lua");
    Files.writeString(script, SCRIPT.formatted(pauseMillis));
    process =
        new ProcessBuilder(
                List.of(
                    "wrk",
                    "--threads=1",
                    "--connections=" + connections,
                    "--duration=3m",
                    "--script=" + script,
                    "--header=x-headgate-caller: " + caller,
                    "http://" + target.getHostString() + ":" + target.getPort() + path))
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
  }

  /** Ends it, and reads what became of the requests. */
  @Override
  public void close() throws IOException, InterruptedException {
    if (read) {
      return;
    }
    read = true;
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
    if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException("wrk: " + Files.readString(out, UTF_8));
    }
    for (String line : Files.readAllLines(out, UTF_8)) {
      String[] columns = line.split("\t");
      switch (columns[0]) {
        case "passed" ->
            notePassed(slotOfWall(Long.parseLong(columns[1])), Integer.parseInt(columns[2]));
        case "limited" ->
            noteLimited(slotOfWall(Long.parseLong(columns[1])), Integer.parseInt(columns[2]));
        case "failed" -> noteFailed(Integer.parseInt(columns[2]));
        default -> {
          // What wrk says itself.
        }
      }
    }
  }
}
