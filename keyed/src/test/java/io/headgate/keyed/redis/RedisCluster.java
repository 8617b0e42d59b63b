package io.headgate.keyed.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A real Redis Cluster of three masters with a replica each; the masters come first. */
record RedisCluster(List<RedisServer> nodes) implements AutoCloseable {

  private static final int MASTERS = 3;

  /** Milliseconds: until it is killed, no master is deposed because it stands still. */
  private static final String PATIENT = "60000";

  private static final String IMPATIENT = "2000";

  static RedisCluster start() throws Exception {
    RedisCluster cluster = new RedisCluster(new ArrayList<>());
    try {
      cluster.create();
      return cluster;
    } catch (Exception | AssertionError e) {
      cluster.close();
      throw e;
    }
  }

  private void create() throws Exception {
    List<String> create = new ArrayList<>(List.of("redis-cli", "--cluster", "create"));
    for (int node = 0; node < 2 * MASTERS; node++) {
      nodes.add(RedisServer.start("--cluster-enabled", "yes", "--cluster-node-timeout", PATIENT));
      create.add("127.0.0.1:" + nodes.get(node).port());
    }
    create.addAll(List.of("--cluster-replicas", "1", "--cluster-yes"));
    Process process =
        new ProcessBuilder(create)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                nodes.stream()
                    .allMatch(node -> node.redis().clusterInfo().contains("cluster_state:ok")));
    awaitReplicas(nodes, MASTERS);
  }

  List<String> uris() {
    return nodes.stream().map(RedisServer::uri).toList();
  }

  /** The master that holds a key, once one does. */
  RedisServer masterOf(String key) {
    return Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .until(
            () -> nodes.stream().filter(node -> isMasterOf(node, key)).findFirst(),
            found -> found.isPresent())
        .orElseThrow();
  }

  /** Kills a node, which the others find out soon. */
  void kill(RedisServer dying) {
    dying.kill();
    nodes.stream()
        .filter(node -> node != dying)
        .forEach(node -> node.redis().configSet("cluster-node-timeout", IMPATIENT));
  }

  private static boolean isMasterOf(RedisServer node, String key) {
    return node.redis().info("replication").contains("role:master")
        && node.redis().keys("*").contains(key);
  }

  /** Waits until so many servers have a replica that follows. */
  static void awaitReplicas(List<RedisServer> servers, int replicas) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                servers.stream()
                        .filter(each -> each.redis().info("replication").contains("state=online"))
                        .count()
                    >= Math.min(replicas, servers.size()));
  }

  @Override
  public void close() {
    nodes.forEach(RedisServer::close);
  }
}
