package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.zone.Zones;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: many small zones are cheap, and nothing of them stays after a drop. Method: 1,000 zones with a few chunks each,
 * created by several threads; the memory of the region and the Java heap are measured.
 */
@Tag("heavy")
@FullTier("It measures the heap, which in the gate is shared with other classes.")
final class ZoneFootprintTest {
    private static final int ZONES = 1_000;
    private static final int FIRST = 1_000;
    private static final int THREADS = 4;
    private static final int CHUNKS_EACH = 3;
    private static final long ZONE_BYTES_MAX = 96 << 10;

    @Test
    void zones_withAFewChunks_areSmallAndLeaveNothing() throws InterruptedException {
        try (Store store = Store.open(StoreConfig.builder().memoryLimitBytes(1L << 30).build())) {
            final ChunkSpace space = Stores.space(store);
            final Zones zones = Zones.of(store);
            fill(zones);                                        // classes and pools, not counted below
            drop(store, zones);
            final long heapBefore = heapBytes();
            final long regionBefore = store.stats().usedBytes() + space.runs.outsideBytes();
            fill(zones);
            final long heap = heapBytes() - heapBefore;
            final long region = store.stats().usedBytes() + space.runs.outsideBytes() - regionBefore;
            final String found = heap / ZONES + " bytes of heap and " + region / ZONES + " of the region";
            System.out.println("a zone takes " + found);
            assertTrue((heap + region) / ZONES <= ZONE_BYTES_MAX, found);
            store.audit();
            drop(store, zones);
            assertEquals(0, store.stats().tableBytes());
            assertTrue(store.stats().usedBytes() + space.runs.outsideBytes() <= regionBefore);
            final long left = heapBytes() - heapBefore;
            assertTrue(left / ZONES < 1 << 10, left + " bytes of heap are left");
        }
    }

    private static void fill(Zones zones) throws InterruptedException {
        for (int zone = FIRST; zone < FIRST + ZONES; zone++) {
            zones.add(zone);
        }
        Threads.runAll(THREADS, number -> {
            for (int zone = FIRST; zone < FIRST + ZONES; zone++) {
                for (int i = 0; i < CHUNKS_EACH; i++) {
                    zones.zone(zone).create(new byte[50]);
                }
            }
        });
    }

    private static void drop(Store store, Zones zones) {
        for (int zone : zones.ids()) {
            zones.drop(zone);
        }
        Threads.await("the memory of the zones", () -> Stores.space(store).tables.inventory().hidden().isEmpty());
        store.trim();
    }

    private static long heapBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
