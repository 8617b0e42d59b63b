package io.headgate.spring;

import io.headgate.keyed.KeyedLimiter;
import io.headgate.keyed.KeyedListener;
import io.headgate.keyed.local.LocalKeyedLimiter;
import io.headgate.keyed.metrics.MicrometerListener;
import io.headgate.keyed.metrics.RedisMeters;
import io.headgate.keyed.redis.RedisKeyedLimiter;
import io.headgate.keyed.servlet.KeyedLimitFilter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/**
 * Limits the requests of a servlet application as {@code headgate.keyed} says. A {@link
 * KeyedLimiter} of the application's own takes the place of the one that is made here.
 */
@AutoConfiguration(
    afterName =
        "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(
    prefix = "headgate.keyed",
    name = "enabled",
    havingValue = "true",
    matchIfMissing = true)
@EnableConfigurationProperties(KeyedProperties.class)
public class KeyedAutoConfiguration {

  /** After what reads and secures a request at the very first, before the application. */
  private static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

  /** For Spring. */
  public KeyedAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  KeyedLimiter headgateKeyedLimiter(
      KeyedProperties properties, ObjectProvider<KeyedListener> listeners) {
    KeyedListener listener =
        listeners.orderedStream().reduce(KeyedListener::and).orElse(KeyedListener.NONE);
    KeyedProperties.Redis redis = properties.redis();
    return redis == null
        ? LocalKeyedLimiter.builder().maxKeys(properties.maxKeys()).listener(listener).build()
        : RedisLimiters.of(redis, properties.maxKeys(), listener);
  }

  @Bean
  FilterRegistrationBean<KeyedLimitFilter> headgateKeyedLimitFilter(
      KeyedProperties properties, KeyedLimiter limiter) {
    FilterRegistrationBean<KeyedLimitFilter> registration =
        new FilterRegistrationBean<>(
            KeyedLimitFilter.of(limiter, Policies.of(properties))
                .waitingAtMost(properties.longestWait()));
    registration.setOrder(ORDER);
    registration.setAsyncSupported(true);
    return registration;
  }

  /** Metrics, if the application has a registry. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  static class Metrics {

    @Bean
    @ConditionalOnBean(MeterRegistry.class)
    KeyedListener headgateKeyedMetrics(MeterRegistry registry) {
      return new MicrometerListener(registry);
    }

    /** Bound by Spring Boot's metrics, which many applications have and all can do without. */
    @Bean
    MeterBinder headgateRedisMeters(KeyedLimiter limiter) {
      return registry -> {
        if (limiter instanceof RedisKeyedLimiter redis) {
          new RedisMeters(redis).bindTo(registry);
        }
      };
    }
  }
}
