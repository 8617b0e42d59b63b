package io.headgate.keyed.ring.hash;

/**
 * The 64-bit hashes of Fowler, Noll and Vo, over the UTF-8 bytes of a text.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9923">RFC 9923</a>
 */
public enum Fnv {
  /** Multiplies, then adds the byte. */
  FNV1 {
    @Override
    long add(long hash, int octet) {
      return hash * PRIME ^ octet;
    }
  },

  /** Adds the byte, then multiplies; spreads short texts better. */
  FNV1A {
    @Override
    long add(long hash, int octet) {
      return (hash ^ octet) * PRIME;
    }
  };

  private static final long OFFSET_BASIS = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;
  private static final int REPLACEMENT =
      '?'; // what Java's encoder writes for half a surrogate pair

  abstract long add(long hash, int octet);

  /** The hash of a text. */
  public final long hash(String text) {
    return append(OFFSET_BASIS, text);
  }

  /** The hash of {@code name + "_" + key}, without making that text. */
  public final long hash(String name, String key) {
    return append(add(append(OFFSET_BASIS, name), '_'), key);
  }

  private long append(long start, String text) {
    long hash = start;
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c < 0x80) {
        hash = add(hash, c);
        i++;
      } else {
        int point = text.codePointAt(i);
        hash = appendWide(hash, point);
        i += Character.charCount(point);
      }
    }
    return hash;
  }

  private long appendWide(long hash, int point) {
    if (point < 0x800) {
      return add(add(hash, 0xc0 | point >> 6), tail(point));
    }
    if (point < 0x10000) {
      if (Character.isSurrogate((char) point)) {
        return add(hash, REPLACEMENT);
      }
      return add(add(add(hash, 0xe0 | point >> 12), tail(point >> 6)), tail(point));
    }
    return add(
        add(add(add(hash, 0xf0 | point >> 18), tail(point >> 12)), tail(point >> 6)), tail(point));
  }

  private static int tail(int bits) {
    return 0x80 | bits & 0x3f;
  }
}
