package io.headgate.keyed.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of the client of a request that may have come through proxies of one's own.
 *
 * <p>Each of these proxies adds the address that it saw at the end of {@code Forwarded} (RFC 7239)
 * or {@code X-Forwarded-For}; what stands before may be anything the client sent. So the address is
 * looked for from the end: by the number of one's own proxies, or as the first that is none of
 * their addresses. {@code Forwarded} goes first where it is there at all.
 */
public final class ClientAddress {

  private static final Pattern FOR =
      Pattern.compile("(?:^|;)\\s*for\\s*=\\s*(\"[^\"]*\"|[^;]*)", Pattern.CASE_INSENSITIVE);
  private static final Pattern PORT = Pattern.compile("^(\\[[^\\]]*\\]|[^:]*):\\w+$");

  private final int proxies;
  private final List<AddressRange> trusted;

  private ClientAddress(int proxies, List<AddressRange> trusted) {
    this.proxies = proxies;
    this.trusted = trusted;
  }

  /** The address that the connection comes from. */
  public static ClientAddress direct() {
    return behind(0);
  }

  /**
   * The address that the first of one's own proxies saw.
   *
   * @param proxies how many of them each request comes through, 0 to 20
   * @throws IllegalArgumentException if it is out of range
   */
  public static ClientAddress behind(int proxies) {
    if (proxies < 0 || proxies > 20) {
      throw new IllegalArgumentException("proxies: " + proxies + " (expected: 0 to 20)");
    }
    return new ClientAddress(proxies, List.of());
  }

  /**
   * The last address on the way of the request that is none of one's own proxies.
   *
   * @param ranges the addresses of these proxies, such as {@code 10.0.0.0/8} or {@code
   *     2001:db8::/32}; an address alone is a range too
   * @throws IllegalArgumentException if there is none, or one is no range
   */
  public static ClientAddress behind(Collection<String> ranges) {
    if (ranges.isEmpty()) {
      throw new IllegalArgumentException("trusted proxies: none (expected: one range at least)");
    }
    return new ClientAddress(0, ranges.stream().map(AddressRange::parse).toList());
  }

  /**
   * The address; that of the connection if the request did not come through the proxies, and the
   * first known one if it began at one of them.
   */
  String of(HttpServletRequest request) {
    return trusted.isEmpty() ? byCount(request) : byRange(request);
  }

  private String byRange(HttpServletRequest request) {
    String address = request.getRemoteAddr();
    List<String> seen = isTrusted(address) ? seen(request) : List.of();
    for (int i = seen.size() - 1; i >= 0 && isTrusted(address); i--) {
      address = withoutPort(seen.get(i));
    }
    return address;
  }

  private boolean isTrusted(String address) {
    return trusted.stream().anyMatch(range -> range.contains(address));
  }

  private static List<String> seen(HttpServletRequest request) {
    List<String> seen = forwarded(request);
    return seen.isEmpty() ? values(request, "X-Forwarded-For") : seen;
  }

  private String byCount(HttpServletRequest request) {
    if (proxies == 0) {
      return request.getRemoteAddr();
    }
    List<String> seen = seen(request);
    return seen.size() < proxies
        ? request.getRemoteAddr()
        : withoutPort(seen.get(seen.size() - proxies));
  }

  private static List<String> forwarded(HttpServletRequest request) {
    List<String> addresses = new ArrayList<>();
    for (String element : values(request, "Forwarded")) {
      Matcher matcher = FOR.matcher(element);
      addresses.add(matcher.find() ? matcher.group(1).strip().replace("\"", "") : "unknown");
    }
    return addresses;
  }

  private static List<String> values(HttpServletRequest request, String header) {
    List<String> values = new ArrayList<>();
    for (String line : Collections.list(request.getHeaders(header))) {
      for (String value : line.split(",")) {
        values.add(value.strip());
      }
    }
    return values;
  }

  /** An address has one key whatever its port: 192.0.2.1:4711, [2001:db8::1]:4711. */
  private static String withoutPort(String address) {
    Matcher matcher = PORT.matcher(address);
    String host = matcher.matches() ? matcher.group(1) : address;
    return host.replace("[", "").replace("]", "");
  }
}
