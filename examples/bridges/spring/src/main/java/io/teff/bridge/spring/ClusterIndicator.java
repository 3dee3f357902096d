package io.teff.bridge.spring;

import io.teff.cluster.ClusterStore;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Up while the superpeers of a cluster answer. A check waits for the deadline of the client's calls at most. */
final class ClusterIndicator extends AbstractHealthIndicator {
    /** A name that need not exist. */
    private static final String ASKED = "teff-health";

    private final ClusterStore store;

    ClusterIndicator(ClusterStore store) {
        super("the cluster does not answer");
        this.store = store;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        store.services().names().get(ASKED);
        health.up().withDetail("level", store.level());
    }
}
