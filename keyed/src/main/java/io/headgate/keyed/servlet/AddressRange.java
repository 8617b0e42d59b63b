package io.headgate.keyed.servlet;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A range of IP addresses in the notation of RFC 4632 and RFC 4291: {@code 10.0.0.0/8}, {@code
 * 2001:db8::/32}; an address alone is a range of one.
 */
record AddressRange(byte[] network, int prefix) {

  private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
  private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F.]*:[0-9a-fA-F:.]*");

  /**
   * @throws IllegalArgumentException if the text is no range
   */
  static AddressRange parse(String text) {
    int slash = text.indexOf('/');
    byte[] network = bytes(slash < 0 ? text : text.substring(0, slash));
    int bits = network == null ? 0 : network.length * Byte.SIZE;
    int prefix = slash < 0 ? bits : number(text.substring(slash + 1));
    if (network == null || prefix < 0 || prefix > bits) {
      throw new IllegalArgumentException(
          "trusted proxies: '"
              + text
              + "' (expected: a range such as 10.0.0.0/8 or 2001:db8::/32)");
    }
    return new AddressRange(network, prefix);
  }

  /** Whether the text is an address in this range; false if it is no address at all. */
  boolean contains(String address) {
    byte[] other = bytes(address);
    if (other == null || other.length != network.length) {
      return false;
    }
    for (int bit = 0; bit < prefix; bit++) {
      int mask = 0x80 >> bit % Byte.SIZE;
      if (((network[bit / Byte.SIZE] ^ other[bit / Byte.SIZE]) & mask) != 0) {
        return false;
      }
    }
    return true;
  }

  /** An IPv4 address in IPv6 notation counts as what it is; a name is never looked up. */
  private static byte @Nullable [] bytes(String address) {
    if (!IPV4.matcher(address).matches() && !IPV6.matcher(address).matches()) {
      return null;
    }
    try {
      return InetAddress.getByName(address).getAddress();
    } catch (UnknownHostException e) {
      return null;
    }
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
