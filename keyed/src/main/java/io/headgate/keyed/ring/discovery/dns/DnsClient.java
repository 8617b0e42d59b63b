package io.headgate.keyed.ring.discovery.dns;

import io.netty.buffer.ByteBufUtil;
import io.netty.channel.AddressedEnvelope;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DnsRawRecord;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponse;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.handler.codec.dns.DnsSection;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsNameResolverTimeoutException;
import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Asks name servers for the addresses of a name, one server after the other until one knows. */
final class DnsClient implements AutoCloseable {

  private final Duration timeout;
  private final MultiThreadIoEventLoopGroup loop =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("headgate-dns-io", true), NioIoHandler.newFactory());
  private final DnsNameResolver resolver;

  /**
   * @param timeout how long to wait for a server's answer
   */
  DnsClient(Duration timeout) {
    this.timeout = timeout;
    resolver =
        new DnsNameResolverBuilder(loop.next())
            .datagramChannelType(NioDatagramChannel.class)
            .socketChannelType(NioSocketChannel.class) // for answers that are too long for UDP
            .queryTimeoutMillis(timeout.toMillis())
            // Never asked: every question names its server.
            .nameServerProvider(
                new SingletonDnsServerAddressStreamProvider(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 53)))
            .build();
  }

  /**
   * The addresses of {@code name}.
   *
   * @param families A, AAAA or both
   * @return an answer for each family, in the same order
   */
  List<DnsAnswer> ask(List<InetSocketAddress> servers, String name, List<DnsRecordType> families)
      throws InterruptedException {
    DnsAnswer[] answers = new DnsAnswer[families.size()];
    for (InetSocketAddress server : servers) {
      List<@Nullable Future<AddressedEnvelope<DnsResponse, InetSocketAddress>>> questions =
          new ArrayList<>();
      for (int i = 0; i < answers.length; i++) {
        questions.add(
            answers[i] == null || !answers[i].known()
                ? resolver.query(server, new DefaultDnsQuestion(name, families.get(i)))
                : null);
      }
      for (int i = 0; i < answers.length; i++) {
        Future<AddressedEnvelope<DnsResponse, InetSocketAddress>> question = questions.get(i);
        if (question != null) {
          question.await();
          DnsAnswer answer = answer(question, families.get(i), server);
          answers[i] = answers[i] == null ? answer : answer.after(answers[i]);
        }
      }
    }
    return List.of(answers);
  }

  private DnsAnswer answer(
      Future<AddressedEnvelope<DnsResponse, InetSocketAddress>> question,
      DnsRecordType family,
      InetSocketAddress server) {
    String from = " from " + NetUtil.toSocketAddressString(server);
    if (!question.isSuccess()) {
      return DnsAnswer.failed(
          (question.cause() instanceof DnsNameResolverTimeoutException
                  ? "no answer in " + timeout.toMillis() + " ms"
                  : String.valueOf(question.cause().getMessage()))
              + from);
    }
    AddressedEnvelope<DnsResponse, InetSocketAddress> envelope = question.getNow();
    try {
      return read(envelope.content(), family, from);
    } finally {
      envelope.release();
    }
  }

  private static DnsAnswer read(DnsResponse response, DnsRecordType type, String from) {
    if (response.code().equals(DnsResponseCode.NXDOMAIN)) {
      return DnsAnswer.none("no such name" + from);
    }
    if (!response.code().equals(DnsResponseCode.NOERROR)) {
      return DnsAnswer.failed(response.code() + from);
    }
    List<InetAddress> addresses = new ArrayList<>();
    long ttlSeconds = Long.MAX_VALUE;
    for (int i = 0; i < response.count(DnsSection.ANSWER); i++) {
      DnsRecord record = response.recordAt(DnsSection.ANSWER, i);
      ttlSeconds = Math.min(ttlSeconds, record.timeToLive()); // that of an alias on the way too
      if (record.type().equals(type) && record instanceof DnsRawRecord raw) {
        try {
          addresses.add(InetAddress.getByAddress(ByteBufUtil.getBytes(raw.content())));
        } catch (UnknownHostException e) {
          return DnsAnswer.failed("an address of the wrong length" + from);
        }
      }
    }
    return addresses.isEmpty()
        ? DnsAnswer.none("no " + type.name() + " record" + from)
        : DnsAnswer.found(addresses, ttlSeconds);
  }

  @Override
  public void close() {
    resolver.close();
    // Nobody waits for the last thread, which is a daemon.
    Future<?> unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
