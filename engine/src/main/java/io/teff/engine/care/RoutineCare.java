package io.teff.engine.care;

import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.chunk.Thresholds;
import io.teff.engine.chunk.Upkeep;
import io.teff.engine.chunk.ZoneReclaim;
import io.teff.engine.config.DebugLevel;
import io.teff.engine.error.Status;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Work that is due after changes: checks the slack, and at debug level QUARANTINE audits the store after each 65,536
 * changes. Thread-safe.
 */
public final class RoutineCare implements Upkeep {
    private final DefragAgent agent;
    private final StoreCare care;
    private final ZoneReclaim reclaim;
    private final AtomicInteger changes = new AtomicInteger();
    private final boolean isAuditing;

    /**
     * Creates the upkeep of a store.
     *
     * @param space the store's chunks
     * @param care audits the store
     * @param agent defragments the store
     * @param reclaim gives the memory of dropped zones back
     */
    public RoutineCare(ChunkSpace space, StoreCare care, DefragAgent agent, ZoneReclaim reclaim) {
        this.care = care;
        this.reclaim = reclaim;
        this.agent = agent;
        this.isAuditing = space.config.debugLevel() == DebugLevel.QUARANTINE;
    }

    @Override
    public void changed() {
        if (agent.checkSlack()) {
            agent.awaitLessSlack();
        }
        auditIfDue();
    }

    @Override
    public void removed() {
        agent.checkSlack();
        auditIfDue();
    }

    @Override
    public long repeat(LongSupplier change) {
        long result = reclaim.repeat(change);
        result = result == Status.FULL && agent.makesRoom() ? change.getAsLong() : result;
        return result == Status.FULL && care.joinFree() ? change.getAsLong() : result;
    }

    private void auditIfDue() {
        if (isAuditing && changes.incrementAndGet() % Thresholds.CHANGES_PER_AUDIT == 0) {
            care.audit();
        }
    }
}
