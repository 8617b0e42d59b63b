package io.headgate.keyed.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A Redis, a Redis behind Sentinels or a Redis Cluster, by one connection that many requests share:
 * each is on its way before the answer to the one before it is there.
 */
final class LettuceStore implements Store {

  /*
   * A command is sent once at most: one that was on its way when the connection broke may have been
   * carried out, and sending it again would charge twice. While the connection is down, commands fail
   * at once. The first connection is begun when the store is made, and again by requests as long as it
   * fails, so that a program starts without Redis; Lettuce makes all later ones. Lettuce's own timeouts are off: a timer for each command nearly
   * doubles the time of a decision. An answer has its time from when it was asked for, also if the
   * connection is still being made.
   */

  private static final Duration RECONNECT_DELAY = Duration.ofMillis(100);
  private static final int SWEEPS_A_TIMEOUT = 4;
  private static final Duration TOPOLOGY_REFRESH = Duration.ofSeconds(10);

  private final ClientResources resources;
  private final AbstractRedisClient client;
  private final Supplier<CompletableFuture<RedisScriptingAsyncCommands<String, String>>> connect;
  private final boolean isCluster;
  private final Duration timeout;
  private final Deadlines deadlines;
  private volatile CompletableFuture<RedisScriptingAsyncCommands<String, String>> commands;

  private LettuceStore(
      ClientResources resources,
      AbstractRedisClient client,
      Supplier<CompletableFuture<RedisScriptingAsyncCommands<String, String>>> connect,
      Duration timeout) {
    this.resources = resources;
    this.client = client;
    isCluster = client instanceof RedisClusterClient;
    this.connect = connect;
    this.timeout = timeout;
    deadlines = new Deadlines(timeout, System::nanoTime);
    long sweepNanos = Math.max(1_000_000, timeout.toNanos() / SWEEPS_A_TIMEOUT);
    resources
        .eventExecutorGroup()
        .scheduleAtFixedRate(deadlines::sweep, sweepNanos, sweepNanos, TimeUnit.NANOSECONDS);
    this.commands = CompletableFuture.failedFuture(new IllegalStateException("not connected yet"));
  }

  /** One Redis, or by a URI of Sentinels the one that they name. */
  static LettuceStore of(RedisURI uri, Duration timeout) {
    ClientResources resources = resources();
    RedisClient client = RedisClient.create(resources, uri);
    client.setOptions(configure(ClientOptions.builder()).build());
    return connecting(
        resources,
        client,
        () ->
            client
                .connectAsync(StringCodec.UTF8, uri)
                .thenApply(
                    connection ->
                        (RedisScriptingAsyncCommands<String, String>)
                            ((StatefulRedisConnection<String, String>) connection).async())
                .toCompletableFuture(),
        timeout);
  }

  /** A cluster that is found by any of its nodes. */
  static LettuceStore cluster(List<RedisURI> uris, Duration timeout) {
    ClientResources resources = resources();
    RedisClusterClient client = RedisClusterClient.create(resources, uris);
    ClusterClientOptions.Builder options =
        ClusterClientOptions.builder()
            .topologyRefreshOptions(
                ClusterTopologyRefreshOptions.builder()
                    .enableAllAdaptiveRefreshTriggers()
                    .adaptiveRefreshTriggersTimeout(RECONNECT_DELAY)
                    .enablePeriodicRefresh(TOPOLOGY_REFRESH)
                    .build());
    configure(options);
    client.setOptions(options.build());
    return connecting(
        resources,
        client,
        () ->
            client
                .refreshPartitionsAsync()
                .thenCompose(topology -> client.connectAsync(StringCodec.UTF8))
                .thenApply(
                    connection ->
                        (RedisScriptingAsyncCommands<String, String>)
                            ((StatefulRedisClusterConnection<String, String>) connection).async())
                .toCompletableFuture(),
        timeout);
  }

  private static LettuceStore connecting(
      ClientResources resources,
      AbstractRedisClient client,
      Supplier<CompletableFuture<RedisScriptingAsyncCommands<String, String>>> connect,
      Duration timeout) {
    LettuceStore store = new LettuceStore(resources, client, connect, timeout);
    store.connected();
    return store;
  }

  private static ClientResources resources() {
    return DefaultClientResources.builder().reconnectDelay(Delay.constant(RECONNECT_DELAY)).build();
  }

  private static <B extends ClientOptions.Builder> B configure(B options) {
    options
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .replayFilter(command -> true);
    return options;
  }

  @Override
  public CompletionStage<List<Long>> run(Script script, List<String> keys, String[] arguments) {
    CompletableFuture<List<Long>> answer = new CompletableFuture<>();
    deadlines.watch(answer);
    connected()
        .whenComplete(
            (redis, failure) -> {
              if (failure != null) {
                answer.completeExceptionally(failure);
              } else if (!answer.isDone()) { // nobody waits for what would be taken
                evaluate(redis, script, keys.toArray(String[]::new), arguments, answer);
              }
            });
    return answer;
  }

  @Override
  public boolean isOnePlace(List<String> keys) {
    return !isCluster || keys.stream().mapToInt(SlotHash::getSlot).distinct().count() == 1;
  }

  private CompletableFuture<RedisScriptingAsyncCommands<String, String>> connected() {
    CompletableFuture<RedisScriptingAsyncCommands<String, String>> present = commands;
    return present.isCompletedExceptionally() ? reconnected() : present;
  }

  private synchronized CompletableFuture<RedisScriptingAsyncCommands<String, String>>
      reconnected() {
    if (commands.isCompletedExceptionally()) {
      // A connection takes more than a command: a lookup, a handshake, a log-in.
      commands = connect.get().orTimeout(20 * timeout.toMillis(), TimeUnit.MILLISECONDS);
    }
    return commands;
  }

  private static void evaluate(
      RedisScriptingAsyncCommands<String, String> redis,
      Script script,
      String[] keys,
      String[] arguments,
      CompletableFuture<List<Long>> answer) {
    redis
        .<List<Long>>evalsha(script.digest(), ScriptOutputType.MULTI, keys, arguments)
        .whenComplete(
            (reply, failure) -> {
              if (failure == null) {
                answer.complete(reply);
              } else if (isUnknownScript(failure)) {
                redis
                    .<List<Long>>eval(script.body(), ScriptOutputType.MULTI, keys, arguments)
                    .whenComplete((again, other) -> complete(answer, again, other));
              } else {
                answer.completeExceptionally(failure);
              }
            });
  }

  /** After a restart, a failover or a flush of scripts, Redis does not know them any more. */
  private static boolean isUnknownScript(Throwable failure) {
    return failure instanceof RedisNoScriptException
        || (failure instanceof CompletionException
            && failure.getCause() instanceof RedisNoScriptException);
  }

  private static void complete(
      CompletableFuture<List<Long>> answer, List<Long> reply, Throwable failure) {
    if (failure == null) {
      answer.complete(reply);
    } else {
      answer.completeExceptionally(failure);
    }
  }

  @Override
  public void close() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    resources.shutdown(0, 2, TimeUnit.SECONDS);
  }
}
