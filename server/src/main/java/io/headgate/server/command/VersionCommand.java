package io.headgate.server.command;

import io.headgate.server.run.BuildInfo;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code headgate version}: what this program was built from and runs on. */
@Command(
    name = "version",
    description = "Print the version, the commit it was built from and the Java it runs on.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    footer = {"", "Examples:", "  headgate version"})
public final class VersionCommand implements Callable<Integer>, CommandLine.IVersionProvider {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().printVersionHelp(spec.commandLine().getOut());
    return 0;
  }

  @Override
  public String[] getVersion() {
    BuildInfo build = BuildInfo.load();
    return new String[] {
      "headgate " + build.version() + " (commit " + build.commit() + ")",
      "java " + Runtime.version() + " (" + System.getProperty("java.vendor") + ")",
    };
  }
}
