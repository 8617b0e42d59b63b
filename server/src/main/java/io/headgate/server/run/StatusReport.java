package io.headgate.server.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.headgate.configurator.run.ConfiguratorStatus;
import io.headgate.control.status.AggregatorStatus;
import io.headgate.control.status.ControllerStatus;
import io.headgate.envoy.proxy.DataPlaneStatus;
import org.jspecify.annotations.Nullable;

/**
 * What {@code /status} answers.
 *
 * @param version of the program
 * @param ready whether the process is of use
 * @param missing why it is not ready; empty if it is
 * @param controller the role controller, if it has it
 * @param aggregator the role aggregator, if it has it
 * @param envoy the role envoy, if it has it
 * @param configurator the role configurator, if it has it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StatusReport(
    String version,
    boolean ready,
    String missing,
    @Nullable ControllerStatus controller,
    @Nullable AggregatorStatus aggregator,
    @Nullable DataPlaneStatus envoy,
    @Nullable ConfiguratorStatus configurator) {}
