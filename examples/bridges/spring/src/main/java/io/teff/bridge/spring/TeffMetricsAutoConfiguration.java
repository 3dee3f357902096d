package io.teff.bridge.spring;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.teff.bridge.micrometer.StoreMetrics;
import io.teff.engine.Store;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The memory of the store as meters, which Spring Boot binds to all registries of the application. */
@AutoConfiguration(after = TeffAutoConfiguration.class)
@ConditionalOnClass({MeterBinder.class, StoreMetrics.class})
public class TeffMetricsAutoConfiguration {
    /** For Spring. */
    public TeffMetricsAutoConfiguration() {}

    /**
     * Returns the meters of the store.
     *
     * @param store a store in this process
     * @return the binder
     */
    @Bean
    @ConditionalOnBean(Store.class)
    @ConditionalOnMissingBean
    public StoreMetrics teffStoreMetrics(Store store) {
        return new StoreMetrics(store);
    }
}
