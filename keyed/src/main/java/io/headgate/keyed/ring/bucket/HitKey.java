package io.headgate.keyed.ring.bucket;

/**
 * What is limited, and who. Other than in Gubernator, {@code a_b} and {@code c} are not the same as
 * {@code a} and {@code b_c}.
 *
 * @param name the name of the limit
 * @param key who is limited
 */
public record HitKey(String name, String key) {

  /** The name and the key as messages show them. */
  public String joined() {
    return name + "_" + key;
  }

  @Override
  public int hashCode() {
    return 31 * name.hashCode() + key.hashCode();
  }

  @Override
  public String toString() {
    return joined();
  }
}
