package io.headgate.control.aggregator;

import io.headgate.protocol.v1.Report;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The clients of this aggregator; keeps the sums of their rates up to date. */
final class Clients {

  private final AggregatorSettings settings;
  private final ZoneSums sums;
  private final Map<Client.Id, Client> clients = new LinkedHashMap<>();
  private int fresh;
  private int asking;
  private int rows;
  private long maxAgeNanos;

  /** No clients yet, whose rates add up in {@code sums}. */
  Clients(AggregatorSettings settings, ZoneSums sums) {
    this.settings = settings;
    this.sums = sums;
  }

  /** The client of this id, or null if there is none. */
  @Nullable Client get(Client.Id id) {
    return clients.get(id);
  }

  boolean isFull() {
    return clients.size() >= settings.maxClients();
  }

  Client add(Client.Id id, long epoch) {
    Client client = new Client(id, epoch);
    clients.put(id, client);
    return client;
  }

  /**
   * Takes a checked report: its rates are the client's from now on.
   *
   * @param bucketOfRow the bucket of each row, or {@link BucketTable#NONE} for a row to leave out
   * @param holdNanos for how long they hold without another
   */
  void report(Client client, Report report, int[] bucketOfRow, long nowNanos, long holdNanos) {
    withdraw(client);
    stopAsking(client);
    client.latch().replace(report, bucketOfRow);
    client.reported(report.getSequence(), nowNanos, holdNanos);
    fresh++;
    client.latch().addTo(sums);
  }

  /** A client's process has started anew. */
  void restart(Client client, long epoch) {
    withdraw(client);
    stopAsking(client);
    client.restart(epoch);
  }

  /** Forgets a client and its rates at once. */
  void remove(Client client) {
    withdraw(client);
    stopAsking(client);
    clients.remove(client.id());
  }

  /** A client has asked what is in force. */
  void asks(Client client) {
    if (!client.isFresh() && !client.isAsking()) {
      client.asking(true);
      asking++;
    }
  }

  private void stopAsking(Client client) {
    if (client.isAsking()) {
      client.asking(false);
      asking--;
    }
  }

  /** Takes a client's rates out of the sums, if it has any. */
  private void withdraw(Client client) {
    if (client.isFresh()) {
      fresh--;
      client.latch().removeFrom(sums);
    }
  }

  /** The stream of a client broke off: it has one more interval to come back. */
  void lost(Client client, long nowNanos) {
    client.session(null);
    stopAsking(client);
    client.holdAtMost(nowNanos, settings.intervalNanos());
  }

  /**
   * Drops rates whose time is over, and clients that have neither rates nor a stream; sums the
   * others anew.
   */
  void settle(long nowNanos) {
    fresh = 0;
    rows = 0;
    maxAgeNanos = 0;
    sums.reset();
    for (Iterator<Client> all = clients.values().iterator(); all.hasNext(); ) {
      Client client = all.next();
      client.expire(nowNanos);
      if (client.isFresh()) {
        fresh++;
        rows += client.latch().rows();
        maxAgeNanos = Math.max(maxAgeNanos, client.ageNanos(nowNanos));
        client.latch().addTo(sums);
      } else if (client.session() == null) {
        all.remove();
      }
    }
  }

  /** How many have a fresh report: of just these clients the sums are. */
  int fresh() {
    return fresh;
  }

  /** How many have asked what is in force, and have no fresh report. */
  int asking() {
    return asking;
  }

  /** How many rates they had when these were summed anew. */
  int rows() {
    return rows;
  }

  /** How old the oldest of their reports was then. */
  long maxAgeNanos() {
    return maxAgeNanos;
  }
}
