package io.headgate.envoy.proxy;

import com.google.protobuf.Any;
import com.google.protobuf.Struct;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State of the world: each answer is all there is. Envoy's usual client does not take a heartbeat
 * here to prolong the time to live, so the whole resource is sent each time.
 */
final class WholeStateWire implements RuntimeWire<DiscoveryRequest, DiscoveryResponse> {

  @Override
  public RuntimeRequest read(DiscoveryRequest message) {
    return new RuntimeRequest(
        message.hasNode() ? message.getNode() : null,
        message.getTypeUrl(),
        message.getResponseNonce(),
        message.hasErrorDetail() ? DeltaWire.error(message.getErrorDetail()) : "",
        List.copyOf(message.getResourceNamesList()),
        null);
  }

  @Override
  public DiscoveryResponse layer(Struct layer, String version, String nonce) {
    return DiscoveryResponse.newBuilder()
        .setTypeUrl(TYPE_URL)
        .setVersionInfo(version)
        .setNonce(nonce)
        .addResources(Any.pack(DeltaWire.resource(layer, version)))
        .build();
  }

  @Override
  public @Nullable DiscoveryResponse heartbeat(String version, String nonce) {
    return null;
  }

  @Override
  public @Nullable DiscoveryResponse absent(Collection<String> names, String nonce) {
    return null;
  }
}
