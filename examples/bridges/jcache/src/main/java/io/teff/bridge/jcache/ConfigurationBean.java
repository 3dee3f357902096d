package io.teff.bridge.jcache;

import javax.cache.configuration.CompleteConfiguration;
import javax.cache.management.CacheMXBean;

/**
 * The configuration of a cache as a bean for management consoles.
 *
 * @param config configuration of the cache
 */
record ConfigurationBean(CompleteConfiguration<?, ?> config) implements CacheMXBean {
    @Override
    public String getKeyType() {
        return config.getKeyType().getName();
    }

    @Override
    public String getValueType() {
        return config.getValueType().getName();
    }

    @Override
    public boolean isReadThrough() {
        return config.isReadThrough();
    }

    @Override
    public boolean isWriteThrough() {
        return config.isWriteThrough();
    }

    @Override
    public boolean isStoreByValue() {
        return config.isStoreByValue();
    }

    @Override
    public boolean isStatisticsEnabled() {
        return config.isStatisticsEnabled();
    }

    @Override
    public boolean isManagementEnabled() {
        return config.isManagementEnabled();
    }
}
