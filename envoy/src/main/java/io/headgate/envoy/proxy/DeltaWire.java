package io.headgate.envoy.proxy;

import com.google.protobuf.Any;
import com.google.protobuf.Struct;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.envoyproxy.envoy.service.runtime.v3.Runtime;
import java.util.Collection;

/** Incremental discovery: a heartbeat is the resource's name and version without the resource. */
final class DeltaWire implements RuntimeWire<DeltaDiscoveryRequest, DeltaDiscoveryResponse> {

  @Override
  public RuntimeRequest read(DeltaDiscoveryRequest message) {
    return new RuntimeRequest(
        message.hasNode() ? message.getNode() : null,
        message.getTypeUrl(),
        message.getResponseNonce(),
        message.hasErrorDetail() ? error(message.getErrorDetail()) : "",
        message.getResourceNamesSubscribeList(),
        message.getResourceNamesUnsubscribeList());
  }

  static String error(com.google.rpc.Status detail) {
    return detail.getMessage().isEmpty() ? "code " + detail.getCode() : detail.getMessage();
  }

  @Override
  public DeltaDiscoveryResponse layer(Struct layer, String version, String nonce) {
    return response(nonce).addResources(resource(layer, version)).build();
  }

  static Resource resource(Struct layer, String version) {
    Runtime runtime = Runtime.newBuilder().setName(RuntimeStream.NAME).setLayer(layer).build();
    return Resource.newBuilder()
        .setName(RuntimeStream.NAME)
        .setVersion(version)
        .setTtl(RuntimeStream.TTL)
        .setResource(Any.newBuilder().setTypeUrl(TYPE_URL).setValue(runtime.toByteString()))
        .build();
  }

  @Override
  public DeltaDiscoveryResponse heartbeat(String version, String nonce) {
    return response(nonce)
        .addResources(
            Resource.newBuilder()
                .setName(RuntimeStream.NAME)
                .setVersion(version)
                .setTtl(RuntimeStream.TTL))
        .build();
  }

  @Override
  public DeltaDiscoveryResponse absent(Collection<String> names, String nonce) {
    return response(nonce).addAllRemovedResources(names).build();
  }

  private static DeltaDiscoveryResponse.Builder response(String nonce) {
    return DeltaDiscoveryResponse.newBuilder().setTypeUrl(TYPE_URL).setNonce(nonce);
  }
}
