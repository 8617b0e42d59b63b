package io.headgate.envoy.proxy;

import java.util.List;

/**
 * A data plane of proxies now.
 *
 * @param connected how many proxies have a stream
 * @param pushes how many layers were pushed since the start
 * @param refusals how many layers and heartbeats proxies did not take since the start
 * @param proxies those that are connected or were until a moment ago
 */
public record DataPlaneStatus(
    int connected, long pushes, long refusals, List<ProxyStatus> proxies) {

  /**
   * One proxy.
   *
   * @param id its node id
   * @param service its service
   * @param connected whether it has a stream
   * @param pairs how many callers and procedures are told apart
   * @param overflow how many counts went to an overflow pair since it came
   * @param keys how many drop ratios are in its layer
   * @param aggregator to which it reports; empty if to none
   */
  public record ProxyStatus(
      String id,
      String service,
      boolean connected,
      int pairs,
      long overflow,
      int keys,
      String aggregator) {}
}
