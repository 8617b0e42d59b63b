package io.headgate.simulator.campaign;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * An invariant that did not hold in a world.
 *
 * @param seed the world's
 * @param invariant its name
 * @param atSeconds the end of the first second in which it did not hold
 * @param seconds in how many seconds it did not
 * @param what what was found in the first, and expected
 */
@JsonPropertyOrder({"seed", "invariant", "atSeconds"})
public record Failure(
    long seed,
    String invariant,
    double atSeconds,
    @JsonIgnore int seconds,
    @JsonIgnore String what) {}
