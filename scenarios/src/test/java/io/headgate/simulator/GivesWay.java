package io.headgate.simulator;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Simulations compute all the time and know no clock but their own; tests of other modules that run
 * at the same time wait most of the time, and are in a hurry when they do not.
 */
public final class GivesWay implements LauncherSessionListener {

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    List<String> command = new ArrayList<>(List.of("renice", "-n", "19", "-p"));
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
      // Each has a niceness of its own; later ones get that of the thread that makes them.
      threads.forEach(thread -> command.add(thread.getFileName().toString()));
      new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      // Not a Linux: nothing is lost but time.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
