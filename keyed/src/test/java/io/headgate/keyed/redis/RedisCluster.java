package io.headgate.keyed.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A real Redis Cluster of three masters with a replica each; the masters come first. */
record RedisCluster(List<RedisServer> nodes) implements AutoCloseable {

  private static final int MASTERS = 3;

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
      nodes.add(RedisServer.start("--cluster-enabled", "yes", "--cluster-node-timeout", "1000"));
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

  /** The node that was made the master of a key; slots are shared out evenly and in order. */
  RedisServer masterOf(String key) {
    return nodes.get(SlotHash.getSlot(key) * MASTERS / SlotHash.SLOT_COUNT);
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
