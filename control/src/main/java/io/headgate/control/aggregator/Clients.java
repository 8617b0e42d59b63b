package io.headgate.control.aggregator;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The clients of this aggregator, and the sums of their rates. */
final class Clients {

  private final AggregatorSettings settings;
  private final Map<Client.Id, Client> clients = new LinkedHashMap<>();
  private int fresh;
  private int rows;
  private long maxAgeNanos;

  Clients(AggregatorSettings settings) {
    this.settings = settings;
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

  /** Forgets a client and its rates at once. */
  void remove(Client client) {
    clients.remove(client.id());
  }

  /** The stream of a client broke off: it has one more interval to come back. */
  void lost(Client client, long nowNanos) {
    client.session(null);
    client.holdAtMost(nowNanos, settings.intervalNanos());
  }

  /** Drops rates whose time is over, and clients that have neither rates nor a stream. */
  void expire(long nowNanos) {
    rows = 0;
    maxAgeNanos = 0;
    for (Iterator<Client> all = clients.values().iterator(); all.hasNext(); ) {
      Client client = all.next();
      client.expire(nowNanos);
      if (client.isFresh()) {
        rows += client.latch().rows();
        maxAgeNanos = Math.max(maxAgeNanos, client.ageNanos(nowNanos));
      } else if (client.session() == null) {
        all.remove();
      }
    }
  }

  void addTo(ZoneSums sums) {
    fresh = 0;
    for (Client client : clients.values()) {
      fresh += client.isFresh() ? 1 : 0;
      client.latch().addTo(sums);
    }
  }

  /**
   * How many had a fresh report when rates were summed last: of just these clients the sums are.
   */
  int fresh() {
    return fresh;
  }

  /** How many rates they had. */
  int rows() {
    return rows;
  }

  /** How old the oldest of these reports was. */
  long maxAgeNanos() {
    return maxAgeNanos;
  }
}
