package io.headgate.envoy.proxy;

import com.google.protobuf.Struct;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * How requests and answers of runtime discovery look on the wire.
 *
 * @param <InT> what a proxy sends
 * @param <OutT> what it is sent
 */
interface RuntimeWire<InT, OutT> {

  String TYPE_URL = "type.googleapis.com/envoy.service.runtime.v3.Runtime";

  RuntimeRequest read(InT message);

  /** The whole layer. */
  OutT layer(Struct layer, String version, String nonce);

  /** What keeps a layer alive; null where only the whole layer does. */
  @Nullable OutT heartbeat(String version, String nonce);

  /** That there are no such resources; null where this is told by leaving them out. */
  @Nullable OutT absent(Collection<String> names, String nonce);
}
