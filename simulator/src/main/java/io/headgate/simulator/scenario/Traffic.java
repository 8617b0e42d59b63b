package io.headgate.simulator.scenario;

import io.headgate.simulator.traffic.RateCurve;
import io.headgate.simulator.traffic.Spread;
import java.util.List;

/**
 * Hosts that call one procedure.
 *
 * @param name for people
 * @param hosts how many
 * @param zones where; evenly over these
 * @param spread how the rate is divided among them
 * @param service the service that is called
 * @param caller who calls
 * @param procedure what is called
 * @param rate first attempts per second of all hosts together
 * @param attempts how often a request is tried at most, at once after each drop; 1: no retries
 * @param marked whether retries say that they are
 * @param criticality the requests' criticality classes, evenly mixed; empty: they carry none
 */
public record Traffic(
    String name,
    int hosts,
    List<String> zones,
    Spread spread,
    String service,
    String caller,
    String procedure,
    RateCurve rate,
    int attempts,
    boolean marked,
    List<Integer> criticality) {}
