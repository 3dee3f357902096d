package io.teff.bridge.spring;

import io.teff.engine.Store;
import io.teff.engine.report.StoreStats;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Up while a store is open, with its chunks and its memory. */
final class StoreIndicator extends AbstractHealthIndicator {
    private final Store store;

    StoreIndicator(Store store) {
        super("the store does not answer");
        this.store = store;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        show(store.stats(), health.up());
    }

    static void show(StoreStats stats, Health.Builder health) {
        health.withDetail("chunks", stats.chunks()).withDetail("usedBytes", stats.usedBytes())
            .withDetail("limitBytes", stats.limitBytes());
    }
}
