package io.teff.bridge.spring;

import io.teff.cluster.ClusterStore;
import io.teff.engine.Store;
import io.teff.recovery.DurableStore;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The health of the store, as the contributor {@code teff}; {@code management.health.teff.enabled=false} ends it. */
@AutoConfiguration(after = TeffAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator("teff")
public class TeffHealthAutoConfiguration {
    private static final String NAME = "teffHealthIndicator";

    /** For Spring. */
    public TeffHealthAutoConfiguration() {}

    /** The health of a durable store. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(DurableStore.class)
    static class Durable {
        @Bean(NAME)
        @ConditionalOnMissingBean(name = NAME)
        HealthIndicator teffHealthIndicator(DurableStore store) {
            return new DurableIndicator(store);
        }
    }

    /** The health of a store in memory. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(Store.class)
    @ConditionalOnMissingBean(DurableStore.class)
    static class InMemory {
        @Bean(NAME)
        @ConditionalOnMissingBean(name = NAME)
        HealthIndicator teffHealthIndicator(Store store) {
            return new StoreIndicator(store);
        }
    }

    /** The health of a client. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ClusterStore.class)
    @ConditionalOnBean(ClusterStore.class)
    static class Cluster {
        @Bean(NAME)
        @ConditionalOnMissingBean(name = NAME)
        HealthIndicator teffHealthIndicator(ClusterStore store) {
            return new ClusterIndicator(store);
        }
    }
}
