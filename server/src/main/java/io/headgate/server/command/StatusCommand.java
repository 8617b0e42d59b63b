package io.headgate.server.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.headgate.server.terminal.UserError;
import java.io.PrintWriter;
import java.net.URI;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate status}: what running servers see. */
@Command(
    name = "status",
    description = {
      "Show what running servers see: rules in force and bad files, connected tiers, and for each"
          + " bucket its limit, demand and drop.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    defaultValueProvider = EnvironmentDefaults.class,
    sortOptions = false,
    footer = {
      "",
      "Ends with 1 if a server does not answer.",
      "",
      "Examples:",
      "  headgate status",
      "  headgate status --watch --address 127.0.0.1:7071 --address 127.0.0.1:7081",
      "  headgate status --json | jq '.controller.buckets[] | {rule, offeredPerSecond}'"
    })
public final class StatusCommand implements Callable<Integer> {

  private static final long WATCH_INTERVAL_SECONDS = 1;
  private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Option(
      names = "--address",
      split = ",",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:7071",
      description =
          "The --http address of a server; may be given several times. Default: ${DEFAULT-VALUE}.")
  private List<String> addresses = List.of();

  @Option(names = "--json", description = "Print one JSON object a line and server.")
  private boolean asJson;

  @Option(names = "--watch", description = "Show it again each second until interrupted.")
  private boolean watch;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many buckets to show, busiest first; 0: all. Default: ${DEFAULT-VALUE}.")
  private int top;

  @Mixin private ClientTlsOptions tls;

  @Override
  public Integer call() throws InterruptedException {
    if (top < 0) {
      throw UserError.usage("--top: " + top + " (expected: 0 or more)");
    }
    List<URI> servers = addresses.stream().map(StatusCommand::uri).toList();
    StatusClient client = new StatusClient(tls.context());
    boolean clear = watch && CommandLine.Help.Ansi.AUTO.enabled() && !asJson;
    int exitCode = show(client, servers, clear);
    while (watch) {
      TimeUnit.SECONDS.sleep(WATCH_INTERVAL_SECONDS);
      exitCode = show(client, servers, clear);
    }
    return exitCode;
  }

  private int show(StatusClient client, List<URI> servers, boolean clear)
      throws InterruptedException {
    StringBuilder text = new StringBuilder();
    StringBuilder errors = new StringBuilder();
    for (URI server : servers) {
      try {
        append(text, client, server);
      } catch (UserError e) {
        errors.append(e.getMessage()).append(System.lineSeparator());
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print((clear ? CLEAR_SCREEN : "") + text);
    out.flush();
    if (!errors.isEmpty()) {
      spec.commandLine().getErr().print(errors);
      spec.commandLine().getErr().flush();
    }
    return errors.isEmpty() ? 0 : UserError.FAILED;
  }

  private void append(StringBuilder text, StatusClient client, URI server)
      throws InterruptedException {
    JsonNode status = client.fetch(server);
    if (asJson) {
      ObjectNode withAddress = status.deepCopy();
      text.append(withAddress.put("address", server.toString())).append('\n');
      return;
    }
    text.append(text.isEmpty() ? "" : "\n");
    StatusView.lines(server.toString(), client.parse(server, status), top)
        .forEach(line -> text.append(line).append('\n'));
  }

  private static URI uri(String address) {
    try {
      URI uri = URI.create(address.contains("://") ? address : "http://" + address);
      if (List.of("http", "https").contains(uri.getScheme()) && uri.getHost() != null) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // Falls through to the same message as other addresses that are none.
    }
    throw UserError.usage(
        "--address: '" + address + "' (expected: a URL such as http://127.0.0.1:7071)");
  }
}
