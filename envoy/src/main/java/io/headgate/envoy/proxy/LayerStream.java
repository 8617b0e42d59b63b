package io.headgate.envoy.proxy;

/** A stream on which a proxy hears what it is to drop. */
interface LayerStream {

  /** The proxy's layer may be another one now. */
  void layerChanged();
}
