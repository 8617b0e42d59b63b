package io.headgate.keyed.ring.discovery.kubernetes;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * What is watched to find pods, and how their IP addresses are read from it.
 *
 * @param name how people call it
 * @param informer watches it, and is not started yet
 * @param addresses the addresses of pods that are ready, and the own one (the second argument)
 *     ready or not: a node that is not ready yet must find itself
 */
record PodSource<T extends HasMetadata>(
    String name,
    Function<KubernetesClient, SharedIndexInformer<T>> informer,
    BiFunction<Collection<T>, String, List<String>> addresses) {

  private static final String SERVICE_NAME = "kubernetes.io/service-name";

  /** The endpoints of a service. */
  static PodSource<EndpointSlice> endpoints(String namespace, String service) {
    return new PodSource<>(
        "endpoints of service " + service + " in namespace " + namespace,
        client ->
            client
                .discovery()
                .v1()
                .endpointSlices()
                .inNamespace(namespace)
                .withLabel(SERVICE_NAME, service)
                .runnableInformer(0),
        PodSource::ofEndpoints);
  }

  /** Pods with some labels. */
  static PodSource<Pod> pods(String namespace, String selector) {
    return new PodSource<>(
        "pods with " + selector + " in namespace " + namespace,
        client ->
            client.pods().inNamespace(namespace).withLabelSelector(selector).runnableInformer(0),
        PodSource::ofPods);
  }

  /** IPv4 alone, as a pod of two families stands in slices of both. */
  static List<String> ofEndpoints(Collection<EndpointSlice> slices, String ownAddress) {
    List<String> addresses = new ArrayList<>();
    for (EndpointSlice slice : slices) {
      if (!"IPv4".equals(slice.getAddressType())) {
        continue;
      }
      for (Endpoint endpoint : slice.getEndpoints()) {
        if (endpoint.getAddresses().isEmpty()) {
          continue;
        }
        // All addresses of an endpoint are the same pod's: the first stands for it.
        String address = endpoint.getAddresses().get(0);
        if (isReady(endpoint) || address.equals(ownAddress)) {
          addresses.add(address);
        }
      }
    }
    return addresses;
  }

  /** What is not known is to be taken for ready, says the interface of Kubernetes. */
  private static boolean isReady(Endpoint endpoint) {
    return endpoint.getConditions() == null
        || endpoint.getConditions().getReady() == null
        || endpoint.getConditions().getReady();
  }

  static List<String> ofPods(Collection<Pod> pods, String ownAddress) {
    List<String> addresses = new ArrayList<>();
    for (Pod pod : pods) {
      String address = pod.getStatus() == null ? null : pod.getStatus().getPodIP();
      if (address == null || address.isEmpty()) {
        continue;
      }
      if (isReady(pod) || address.equals(ownAddress)) {
        addresses.add(address);
      }
    }
    return addresses;
  }

  /** A pod that is being ended is not ready, as among the endpoints of a service. */
  private static boolean isReady(Pod pod) {
    List<ContainerStatus> containers = pod.getStatus().getContainerStatuses();
    return pod.getMetadata().getDeletionTimestamp() == null
        && !containers.isEmpty()
        && containers.stream()
            .allMatch(
                container ->
                    Boolean.TRUE.equals(container.getReady())
                        && container.getState() != null
                        && container.getState().getRunning() != null);
  }
}
