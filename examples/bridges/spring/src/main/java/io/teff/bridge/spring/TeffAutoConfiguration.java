package io.teff.bridge.spring;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.recovery.DurableConfig;
import io.teff.recovery.DurableStore;
import java.io.IOException;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A store as a bean: a {@link Store} in memory, a {@link DurableStore} and its {@link Store}, or a
 * {@link ClusterStore}. An application that has any bean of type {@link ChunkStore} gets none from here.
 */
@AutoConfiguration
@EnableConfigurationProperties(TeffProperties.class)
public class TeffAutoConfiguration {
    private static final String PREFIX = "teff";
    private static final String MODE = "mode";

    /** For Spring. */
    public TeffAutoConfiguration() {}

    private static StoreConfig config(TeffProperties properties) {
        final StoreConfig.Builder builder = StoreConfig.builder().name(properties.name());
        if (properties.memory() != null) {
            builder.memoryLimitBytes(properties.memory().toBytes());
        }
        return builder.build();
    }

    /** A store in memory. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(prefix = PREFIX, name = MODE, havingValue = "memory", matchIfMissing = true)
    @ConditionalOnMissingBean(ChunkStore.class)
    static class InMemory {
        @Bean(destroyMethod = "close")
        Store teffStore(TeffProperties properties) {
            return Store.open(config(properties));
        }
    }

    /** A store with a log. The log's owner closes the store. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(prefix = PREFIX, name = MODE, havingValue = "durable")
    @ConditionalOnMissingBean({ChunkStore.class, DurableStore.class})
    static class Durable {
        @Bean(destroyMethod = "close")
        DurableStore teffDurableStore(TeffProperties properties) {
            return DurableStore.open(properties.folder(), DurableConfig.builder().store(config(properties))
                .level(properties.level()).build());
        }

        @Bean(destroyMethod = "")
        Store teffStore(DurableStore durable) {
            return durable.store();
        }
    }

    /** A client of a cluster. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ClusterStore.class)
    @ConditionalOnProperty(prefix = PREFIX, name = MODE, havingValue = "cluster")
    @ConditionalOnMissingBean(ChunkStore.class)
    static class Cluster {
        @Bean(destroyMethod = "close")
        ClusterStore teffClusterStore(TeffProperties properties) throws IOException {
            final ClientConfig.Builder builder = ClientConfig.builder(properties.superpeers().toArray(String[]::new))
                .timeoutNs(properties.timeout().toNanos());
            if (properties.secret() != null) {
                builder.secret(properties.secret());
            }
            return ClusterStore.connect(builder.build());
        }
    }
}
