package io.headgate.keyed.ring.discovery.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.headgate.keyed.ring.discovery.PeerDiscovery;
import io.headgate.keyed.ring.discovery.PeerInfo;
import io.headgate.keyed.ring.discovery.PeerNews;
import io.headgate.keyed.ring.discovery.Polling;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Peers that are pods of a Kubernetes cluster: the ready endpoints of a service, or the ready pods
 * with some labels. They are watched; the pod's service account must be allowed to list and watch
 * them.
 *
 * <p>While the API server cannot be reached, or if it knows of no pod at all, the last peers stay,
 * and {@link #problem()} says so.
 */
public final class KubernetesPeers implements PeerDiscovery {

  /** How soon it shows in {@link #problem()} that the watch is broken, or works again. */
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  private final Watched<?> watched;
  private final KubernetesClient client;
  private final PeerNews news = new PeerNews();
  private volatile @Nullable Polling polling;

  private <T extends HasMetadata> KubernetesPeers(
      PodSource<T> source, Pod self, KubernetesClient client) {
    this.client = client;
    watched = new Watched<>(source, self);
  }

  /**
   * Where and what this node is.
   *
   * @param address the IP address of its pod
   * @param port the gRPC port, which is the same for all peers
   * @param dataCenter the data center of this cluster and so of all its pods; empty if there is
   *     only one
   */
  public record Pod(String address, int port, String dataCenter) {}

  /** The ready endpoints of a service, as its EndpointSlices name them; IPv4 alone. */
  public static KubernetesPeers ofService(Pod self, String namespace, String service) {
    return ofService(self, namespace, service, connect());
  }

  /** The ready pods that a label selector such as {@code app=headgate} selects. */
  public static KubernetesPeers ofPods(Pod self, String namespace, String selector) {
    return ofPods(self, namespace, selector, connect());
  }

  static KubernetesPeers ofService(
      Pod self, String namespace, String service, KubernetesClient client) {
    return new KubernetesPeers(PodSource.endpoints(namespace, service), self, client);
  }

  static KubernetesPeers ofPods(
      Pod self, String namespace, String selector, KubernetesClient client) {
    return new KubernetesPeers(PodSource.pods(namespace, selector), self, client);
  }

  /** By the pod's service account, or outside of a cluster by the user's kubeconfig. */
  private static KubernetesClient connect() {
    return new KubernetesClientBuilder().withHttpClientFactory(new JdkHttpClientFactory()).build();
  }

  @Override
  public void start(Consumer<List<PeerInfo>> listener) {
    news.start(listener);
    watched.start();
    polling = Polling.start("headgate-kubernetes-peers", watched::look);
    changed(); // what happened before nobody was told of
  }

  private void changed() {
    Polling waiting = polling;
    if (waiting != null) {
      waiting.wake();
    }
  }

  @Override
  public String problem() {
    return news.problem();
  }

  @Override
  public void close() {
    news.close();
    Polling running = polling;
    if (running != null) {
      running.close();
    }
    watched.close();
    client.close();
  }

  /** The watch of one kind of objects. What happens to them only says that it is time to look. */
  private final class Watched<T extends HasMetadata> implements ResourceEventHandler<T> {

    private final PodSource<T> source;
    private final Pod self;
    private final SharedIndexInformer<T> informer;
    private volatile String failure = "";
    private volatile boolean started;

    Watched(PodSource<T> source, Pod self) {
      this.source = source;
      this.self = self;
      informer =
          source
              .informer()
              .apply(client)
              .addEventHandler(this)
              .exceptionHandler(
                  (synced, error) -> {
                    failure = String.valueOf(error.getMessage());
                    changed();
                    return true; // tries again, less and less often
                  });
    }

    void start() {
      informer
          .start()
          .whenComplete(
              (nothing, error) -> {
                started = error == null;
                changed();
              });
    }

    Duration look() {
      if (started) {
        List<String> addresses =
            source.addresses().apply(informer.getStore().list(), self.address());
        news.peers(addresses.stream().map(this::peer).toList());
        if (addresses.isEmpty()) {
          return failed("none is ready (expected: at least this pod)");
        }
        if (informer.isWatching()) {
          failure = "";
        } else {
          return failed("not connected" + (failure.isEmpty() ? "" : ": " + failure));
        }
      } else if (!failure.isEmpty()) {
        return failed("not connected: " + failure);
      }
      news.problem("");
      return INTERVAL;
    }

    private Duration failed(String reason) {
      news.problem("peers in Kubernetes: " + source.name() + ": " + reason);
      return INTERVAL;
    }

    private PeerInfo peer(String address) {
      String host = address.contains(":") ? "[" + address + "]" : address;
      return new PeerInfo(host + ":" + self.port(), "", self.dataCenter());
    }

    @Override
    public void onAdd(T added) {
      changed();
    }

    @Override
    public void onUpdate(T before, T now) {
      changed();
    }

    @Override
    public void onDelete(T deleted, boolean stateUnknown) {
      changed();
    }

    void close() {
      informer.stop();
    }
  }
}
