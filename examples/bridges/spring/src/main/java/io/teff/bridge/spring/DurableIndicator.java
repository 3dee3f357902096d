package io.teff.bridge.spring;

import io.teff.recovery.DurableHealth;
import io.teff.recovery.DurableStore;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Up while a durable store accepts changes, out of service while its disk is full, else down. */
final class DurableIndicator extends AbstractHealthIndicator {
    private final DurableStore durable;

    DurableIndicator(DurableStore durable) {
        super("the store does not answer");
        this.durable = durable;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        final DurableHealth state = durable.health();
        health.withDetail("state", state.state()).withDetail("pendingBytes", state.pendingBytes());
        if (state.lastFailure() != null) {
            health.withDetail("lastFailure", state.lastFailure());
        }
        switch (state.state()) {
            case WRITABLE -> health.up();
            case FULL -> health.outOfService();
            case FAILED, CLOSED -> health.down();
        }
        if (state.state() != DurableHealth.State.CLOSED) {
            StoreIndicator.show(durable.store().stats(), health);
        }
    }
}
