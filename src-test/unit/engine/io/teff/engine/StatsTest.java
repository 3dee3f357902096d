package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.config.DebugLevel;
import io.teff.engine.memory.Memory;
import io.teff.engine.report.AuditReport;
import io.teff.engine.report.StoreStats;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: the statistics are exact when nothing changes, add up, and are cheap.
 *
 * <p>Method: sums are compared with the created chunks, for every kind of change.
 */
@Tag("modes")
@Tag("plain")
final class StatsTest {
    @Test
    void emptyStore_hasNothing() {
        try (Store store = Store.open(Stores.small().name("nothing").nid(3).build())) {
            assertEquals(new StoreStats("nothing", 3, 0, 0, 0, 0, 0, 0, 64 << 20, Memory.RESERVED), store.stats());
            assertEquals(0, store.stats().overheadPerChunk());
            assertEquals(new AuditReport(0, 0, 0, 0, 0), store.audit());
        }
    }

    @Test
    void everyChange_isCounted() {
        for (DebugLevel level : new DebugLevel[] {DebugLevel.OFF, DebugLevel.CANARIES, DebugLevel.QUARANTINE}) {
            try (Store store = Store.open(Stores.small().debugLevel(level).build())) {
                long cid = store.create(100L);
                check(store, 1, 100);
                long other = store.createReadOnly(new byte[3000]);
                check(store, 2, 3100);
                store.put(cid, new byte[70_000]);
                check(store, 2, 73_000);
                store.put(cid, new byte[70_001]);
                store.put(cid, new byte[12]);
                check(store, 2, 3012);
                store.resize(cid, 13);
                check(store, 2, 3013);
                store.resize(cid, 90_000);
                check(store, 2, 93_000);
                store.resize(cid, 0);
                check(store, 2, 3000);
                store.put(cid, new byte[5]);
                store.ids().createAt(Cid.of(8, 1), 40);
                check(store, 3, 3045);
                store.ids().reserve();
                store.batch().create(10, new long[100], 0, 100, true);
                check(store, 103, 4045);
                store.remove(other);
                store.remove(Cid.of(8, 1));
                store.create(1L << 40);
                check(store, 101, 1005);
                store.ids().forEach(store::remove);
                check(store, 0, 0);
                assertEquals(0, store.stats().takenBytes());
            }
        }
    }

    private static void check(Store store, long chunks, long payload) {
        StoreStats stats = store.stats();
        assertEquals(chunks, stats.chunks());
        assertEquals(payload, stats.payloadBytes());
        assertTrue(stats.takenBytes() >= payload, stats::toString);
        assertEquals(stats.usedBytes(), stats.tableBytes() + stats.takenBytes() + stats.freeSlotBytes());
        assertEquals(stats.takenBytes(), stats.payloadBytes() + stats.wasteBytes());
        assertEquals(stats.committedBytes(), stats.usedBytes() + stats.freeUnitBytes());
        AuditReport report = store.audit();
        assertEquals(chunks, report.chunks());
        assertEquals(payload, report.payloadBytes());
    }

    @Test
    void trim_givesBackWhatIsFree() {
        try (Store store = Store.open(Stores.small().defragCpuPercent(0).build())) {
            long[] cids = new long[100_000];
            store.batch().create(200, cids, 0, cids.length, false);
            long committed = store.stats().committedBytes();
            store.batch().remove(cids, 0, cids.length, new long[cids.length]);
            long given = store.trim();
            StoreStats stats = store.stats();
            assertEquals(stats.tableBytes(), stats.usedBytes());
            assertEquals(committed - stats.committedBytes(), given);
            assertEquals(stats.usedBytes(), stats.committedBytes(), stats::toString);
            assertEquals(0, store.trim());
            assertEquals(100_000, store.batch().create(200, cids, 0, cids.length, false));
            store.audit();
        }
    }
}
