package io.headgate.simulator;

import java.io.IOException;
import java.util.List;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Simulations compute all the time and know no clock but their own; tests of other modules that run
 * at the same time wait most of the time, and are in a hurry when they do not. Under Linux's idle
 * policy a simulation makes room at once for whatever wakes up, which it would not as the least of
 * usual processes.
 */
public final class GivesWay implements LauncherSessionListener {

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    String pid = Long.toString(ProcessHandle.current().pid());
    // All threads that there are; later ones get the policy of the thread that makes them.
    List<String> command = List.of("chrt", "--all-tasks", "--idle", "--pid", "0", pid);
    try {
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
