package io.headgate.keyed.ring.discovery.dns;

import static java.util.stream.Collectors.joining;

import io.headgate.keyed.ring.discovery.PeerDiscovery;
import io.headgate.keyed.ring.discovery.PeerInfo;
import io.headgate.keyed.ring.discovery.PeerNews;
import io.headgate.keyed.ring.discovery.Polling;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.IDN;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Peers that are the addresses of one or more names, as a headless service in Kubernetes or a
 * service registry has them. Names are asked for again when their records' time to live is over.
 *
 * <p>A name that nobody can resolve keeps the addresses that it had, and {@link #problem()} says
 * so.
 */
public final class DnsPeers implements PeerDiscovery {

  private static final List<DnsRecordType> FAMILIES = List.of(DnsRecordType.A, DnsRecordType.AAAA);

  private static final List<List<InetAddress>> NOTHING = List.of(List.of(), List.of());

  /** Records that live longer are asked for again all the same. */
  private static final Duration LONGEST = Duration.ofMinutes(5);

  /** Some servers say 0 for what may change at any time. */
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);

  /** How long to wait for the answer of one server. */
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private final List<String> names;
  private final int port;
  private final boolean namesAreDataCenters;
  private final Path configuration;
  private final Duration timeout;
  private final Duration afterFailure;

  /** By name, then in the order of {@link #FAMILIES}. */
  private final Map<String, List<List<InetAddress>>> addresses = new HashMap<>();

  private final PeerNews news = new PeerNews();
  private @Nullable DnsClient client;
  private @Nullable Polling polling;

  DnsPeers(
      List<String> names,
      int port,
      boolean namesAreDataCenters,
      Path configuration,
      Duration timeout,
      Duration afterFailure) {
    if (names.isEmpty()) {
      throw new IllegalArgumentException("DNS names of peers: none (expected: at least one)");
    }
    this.names = names.stream().map(DnsPeers::absolute).distinct().toList();
    this.port = port;
    this.namesAreDataCenters = namesAreDataCenters;
    this.configuration = configuration;
    this.timeout = timeout;
    this.afterFailure = afterFailure;
  }

  /**
   * The addresses of {@code names}.
   *
   * @param names fully qualified; search lists are not used
   * @param port the gRPC port of every peer
   * @param namesAreDataCenters whether each name stands for a data center; else all peers are in
   *     one
   * @param configuration a resolver configuration as in {@code /etc/resolv.conf}; read before each
   *     look
   * @throws IllegalArgumentException if there is no name, or one is none
   */
  public static DnsPeers of(
      List<String> names, int port, boolean namesAreDataCenters, Path configuration) {
    return new DnsPeers(names, port, namesAreDataCenters, configuration, TIMEOUT, AFTER_FAILURE);
  }

  /**
   * A name with the dot at its end, which is also how a data center that is a name is written.
   *
   * @throws IllegalArgumentException if it is no name of a host
   */
  public static String absolute(String name) {
    String bare = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    try {
      String ascii = IDN.toASCII(bare, IDN.ALLOW_UNASSIGNED);
      if (ascii.isEmpty() || ascii.length() > 253 || ascii.chars().anyMatch(c -> c <= ' ')) {
        throw new IllegalArgumentException("not a name of a host");
      }
      return ascii + ".";
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "DNS name of peers: '" + name + "' (expected: a name such as peers.example.com)", e);
    }
  }

  @Override
  public void start(Consumer<List<PeerInfo>> listener) {
    news.start(listener);
    DnsClient started = new DnsClient(timeout);
    client = started;
    polling = Polling.start("headgate-dns-peers", () -> look(started));
  }

  private Duration look(DnsClient client) throws InterruptedException {
    List<InetSocketAddress> servers;
    try {
      servers = NameServers.read(configuration);
    } catch (IOException e) {
      news.problem("peers by DNS: " + e.getMessage());
      return afterFailure;
    }
    Duration next = LONGEST;
    List<String> problems = new ArrayList<>();
    for (String name : names) {
      List<DnsAnswer> answers = client.ask(servers, name, FAMILIES);
      next = shorter(next, take(name, answers, problems));
    }
    news.peers(peers());
    news.problem(problems.isEmpty() ? "" : "peers by DNS: " + String.join("; ", problems));
    return next;
  }

  /** Keeps what was known where an answer says nothing of use; says when to ask again. */
  private Duration take(String name, List<DnsAnswer> answers, List<String> problems) {
    if (answers.stream().allMatch(answer -> answer.addresses().isEmpty())) {
      problems.add(
          name + ": " + answers.stream().map(DnsAnswer::reason).distinct().collect(joining(", ")));
      return afterFailure;
    }
    List<List<InetAddress>> before = addresses.getOrDefault(name, NOTHING);
    List<List<InetAddress>> now = new ArrayList<>();
    Duration next = LONGEST;
    for (int i = 0; i < FAMILIES.size(); i++) {
      DnsAnswer answer = answers.get(i);
      now.add(answer.known() ? answer.addresses() : before.get(i));
      if (!answer.addresses().isEmpty()) {
        next = shorter(next, delay(answer.ttlSeconds()));
      } else if (!answer.known() && !before.get(i).isEmpty()) {
        problems.add(name + ": " + FAMILIES.get(i).name() + ": " + answer.reason());
        next = shorter(next, afterFailure);
      }
    }
    addresses.put(name, now);
    return next;
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  /** When to ask again for records that live as long as this. */
  static Duration delay(long ttlSeconds) {
    return Duration.ofSeconds(
        Math.max(SHORTEST.toSeconds(), Math.min(ttlSeconds, LONGEST.toSeconds())));
  }

  private List<PeerInfo> peers() {
    List<PeerInfo> peers = new ArrayList<>();
    for (String name : names) {
      for (List<InetAddress> family : addresses.getOrDefault(name, NOTHING)) {
        for (InetAddress address : family) {
          peers.add(
              new PeerInfo(
                  NetUtil.toSocketAddressString(new InetSocketAddress(address, port)),
                  "",
                  namesAreDataCenters ? name : ""));
        }
      }
    }
    return peers;
  }

  @Override
  public String problem() {
    return news.problem();
  }

  @Override
  public void close() {
    news.close();
    if (polling != null) {
      polling.close();
    }
    if (client != null) {
      client.close();
    }
  }
}
