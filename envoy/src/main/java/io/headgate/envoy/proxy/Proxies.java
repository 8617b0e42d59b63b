package io.headgate.envoy.proxy;

import io.headgate.core.time.EventLoop;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The proxies that are connected, or were until a moment ago. Thread-safe; the lock is held for a
 * look-up at most, when a stream begins or ends.
 */
final class Proxies {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long TIDY_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final EventLoop loop;
  private final Function<ProxyId, Proxy> factory;
  private final int most;
  private final Map<ProxyId, Proxy> byId = new HashMap<>();

  Proxies(EventLoop loop, Function<ProxyId, Proxy> factory, int most) {
    this.loop = loop;
    this.factory = factory;
    this.most = most;
  }

  void start() {
    loop.schedule(TIDY_NANOS, this::tidy);
  }

  /** The proxy, with one stream more; null if there are too many. */
  synchronized @Nullable Proxy open(ProxyId id) {
    Proxy proxy = byId.get(id);
    if (proxy == null) {
      if (byId.size() >= most) {
        return null;
      }
      proxy = factory.apply(id);
      byId.put(id, proxy);
      proxy.start();
    }
    proxy.streamOpened();
    return proxy;
  }

  /** One of its streams has ended. */
  synchronized void close(Proxy proxy) {
    proxy.streamClosed(loop.nanoTime());
  }

  /** Those that are known. */
  synchronized List<Proxy> all() {
    return new ArrayList<>(byId.values());
  }

  /** How many have a stream. */
  synchronized int connected() {
    return (int) byId.values().stream().filter(Proxy::isConnected).count();
  }

  private void tidy() {
    takeGone(PATIENCE_NANOS).forEach(Proxy::close);
    all().forEach(Proxy::tidy);
    loop.schedule(TIDY_NANOS, this::tidy);
  }

  private synchronized Collection<Proxy> takeGone(long patienceNanos) {
    long nowNanos = loop.nanoTime();
    List<Proxy> gone =
        byId.values().stream().filter(proxy -> proxy.isGone(nowNanos, patienceNanos)).toList();
    gone.forEach(proxy -> byId.remove(proxy.id()));
    return gone;
  }

  /** Has the aggregators forget all of them; on the loop. */
  void stop() {
    all().forEach(Proxy::close);
  }
}
