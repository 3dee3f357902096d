package io.teff.test.bench.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Tests which collections count. */
final class GcPausesTest {
    private static final int BLOCK_BYTES = 1 << 16;
    private static final long BYTES_MAX = 64L << 30;

    private byte[] garbage = new byte[0];

    @Test
    void maxMs_collectionThatWasAskedFor_isNothing() {
        System.gc();                                            // there is little garbage from here on
        try (GcPauses pauses = new GcPauses()) {
            System.gc();
            System.gc();
            assertEquals(0, pauses.maxMs());
            assertEquals(0, pauses.sumMs());
        }
    }

    @Test
    void maxMs_collectionForWantOfMemory_counts() {
        try (GcPauses pauses = new GcPauses()) {
            long before = collections();
            for (long bytes = 0; collections() < before + 2 && bytes < BYTES_MAX; bytes += BLOCK_BYTES) {
                garbage = new byte[BLOCK_BYTES];
            }
            double maxMs = pauses.maxMs();
            assertTrue(maxMs > 0, () -> maxMs + " ms after " + garbage.length);
            assertTrue(pauses.sumMs() >= maxMs, () -> pauses.sumMs() + " ms in all, but " + maxMs + " once");
        }
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionCount).sum();
    }
}
