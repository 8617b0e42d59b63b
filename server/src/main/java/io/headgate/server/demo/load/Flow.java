package io.headgate.server.demo.load;

/**
 * Calls of one kind from one place.
 *
 * @param perSecond their usual rate
 * @param profile how the rate changes in time
 * @param call makes one call; must return at once, without waiting for its end
 */
public record Flow(double perSecond, LoadProfile profile, Runnable call) {}
