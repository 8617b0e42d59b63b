package io.headgate.keyed.ring;

import java.util.List;

/**
 * What a node holds at a moment, and what it has exchanged with others.
 *
 * @param buckets buckets in memory
 * @param hits requests that found their bucket
 * @param misses requests that did not
 * @param unexpiredEvictions buckets that made room although they still counted
 * @param owedKeys keys whose hits their owners do not have yet
 * @param owedErrors batches of hits to owners here and in other data centers that failed, and were
 *     or will be sent again
 * @param untoldKeys keys of which others are still to be told
 * @param broadcasts rounds of telling others
 * @param broadcastErrors messages of those that failed, and were or will be sent again
 * @param moved buckets that were given to their new owners
 * @param unmoved buckets whose new owners did not take them
 * @param peers the other nodes
 */
public record RingGauges(
    int buckets,
    long hits,
    long misses,
    long unexpiredEvictions,
    int owedKeys,
    long owedErrors,
    int untoldKeys,
    long broadcasts,
    long broadcastErrors,
    long moved,
    long unmoved,
    List<PeerGauges> peers) {

  /**
   * Calls to another node.
   *
   * @param address of its gRPC port
   * @param queued requests that wait for a batch
   * @param retries batches that were sent a second time
   * @param errors calls that failed
   */
  public record PeerGauges(String address, int queued, long retries, long errors) {}
}
