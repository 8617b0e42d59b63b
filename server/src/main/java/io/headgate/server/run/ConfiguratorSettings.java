package io.headgate.server.run;

import io.headgate.control.rules.repository.RuleRepository;
import java.nio.file.Path;

/**
 * How the role configurator is set up.
 *
 * @param config the file that says how limits are computed, and when
 * @param repository the rules that it changes
 * @param author who is named as the author of a change
 */
public record ConfiguratorSettings(Path config, RuleRepository repository, String author) {}
