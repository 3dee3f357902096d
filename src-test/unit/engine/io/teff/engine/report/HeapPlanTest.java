package io.teff.engine.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.engine.Stores;
import io.teff.engine.config.Limits;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.memory.Memory;
import io.teff.engine.report.HeapPlan.Load;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a plan says beforehand what a store takes.
 *
 * <p>Method: stores are filled as planned, with lengths drawn at random, and their statistics compared; sums over
 * ranges are compared with sums over every length.
 */
@Tag("modes")
final class HeapPlanTest {
    private static final double TOLERANCE = 0.01;

    private static Load load(String text) {
        String[] parts = text.split("[x-]");
        return new Load(Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[parts.length - 1]));
    }

    private static HeapPlan plan(String text) {
        List<Load> loads = new ArrayList<>();
        for (String part : text.split("\\+")) {
            loads.add(load(part));
        }
        return HeapPlan.of(loads);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1000000x32", "2000000x16-128", "1000000x1-128", "500000x0-9", "100000x1-2500", "3000x2047",
        "20000x1-30000", "30x1000000-9000000", "1x5", "4095x8", "4096x8", "500x16384",
        "100000x24+40x3000000+5000x100-5000"})
    void usedBytes_areWhatARealStoreTakes(String text) {
        HeapPlan plan = plan(text);
        SplittableRandom random = Seed.random(1);
        try (Store store = Store.open(StoreConfig.builder().memoryLimitBytes(1L << 30).build())) {
            for (String part : text.split("\\+")) {
                Load load = load(part);
                for (int i = 0; i < load.chunks(); i++) {
                    assertTrue(store.create(random.nextLong(load.bytesMin(), load.bytesMax() + 1)) > 0);
                }
            }
            StoreStats stats = store.stats();
            assertEquals(stats.chunks(), plan.chunks());
            assertEquals(stats.tableBytes(), plan.tableBytes());
            close(stats.payloadBytes(), plan.payloadBytes(), stats.payloadBytes(), text);
            close(stats.wasteBytes(), plan.wasteBytes(), stats.usedBytes(), text);
            close(stats.freeSlotBytes(), plan.headerBytes() + plan.freeSlotBytes(), stats.usedBytes(), text);
            close(stats.usedBytes(), plan.usedBytes(), stats.usedBytes(), text);
            if (Memory.RESERVED) {
                close(stats.committedBytes(), plan.usedBytes(), stats.committedBytes(), text);
            } else {
                assertTrue(stats.committedBytes() <= plan.usedBytes() * (1 + TOLERANCE) + (128 << 20), text);
            }
        }
    }

    /** Random lengths of few large chunks differ from the mean by more than a plan does. */
    private static void close(long actual, long planned, long whole, String what) {
        double tolerance = what.startsWith("30x") ? 0.2 : TOLERANCE;
        assertEquals(actual, planned, whole * tolerance, what);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0-0", "0-1", "1-1", "1-128", "127-133", "2040-2060", "2046-2046", "2047-2047",
        "16300-16500", "16377-16377", "16000-70000", "20000-20000", "20472-20473", "20472-24569", "4088-4089"})
    void ranges_areWhatEachOfTheirLengthsTakes(String range) {
        Load one = load("1x" + range);
        long lengths = one.bytesMax() - one.bytesMin() + 1;
        List<Load> each = new ArrayList<>();
        for (long length = one.bytesMin(); length <= one.bytesMax(); length++) {
            each.add(new Load(3, length, length));
        }
        assertEquals(HeapPlan.of(each), HeapPlan.of(List.of(new Load(3 * lengths, one.bytesMin(), one.bytesMax()))));
    }

    @Test
    void parts_addUp() {
        HeapPlan plan = plan("12345x16-128+77x50000");
        assertEquals(plan.usedBytes(), plan.payloadBytes() + plan.tableBytes() + plan.wasteBytes() + plan.headerBytes()
            + plan.freeSlotBytes());
        assertEquals((double) (plan.usedBytes() - plan.payloadBytes()) / plan.chunks(), plan.overheadPerChunk());
        assertEquals(new HeapPlan(0, 0, 0, 0, 0, 0, 0, 0), HeapPlan.of(List.of()));
        assertEquals(0, HeapPlan.of(List.of(new Load(0, 1, 5))).usedBytes());
        assertEquals(0, HeapPlan.of(List.of()).overheadPerChunk());
    }

    @Test
    void furtherThreads_addAtMostWhatThePlanSays() throws InterruptedException {
        int threads = 3;
        HeapPlan plan = plan("300000x16-128");
        try (Store store = Stores.open(256)) {
            Threads.runAll(threads, number -> {
                SplittableRandom random = Seed.random(number);
                for (int i = 0; i < 100_000; i++) {
                    store.create(random.nextLong(16, 129));
                }
            });
            long most = plan.usedBytes() + (Stores.space(store).allocStripes.count() - 1) * plan.furtherThreadBytes();
            assertTrue(store.stats().usedBytes() <= most * (1 + TOLERANCE), store.stats()::toString);
        }
    }

    @Test
    void largePlans_areExactOrRefused() {
        HeapPlan plan = plan("1000000000000x32");
        assertEquals(32_000_000_000_000L, plan.payloadBytes());
        assertFalse(plan.fitsOneStore());
        assertEquals(8.19, plan.overheadPerChunk(), 0.01);
        long large = Limits.CHUNK_BYTES_MAX;
        assertTrue(HeapPlan.of(List.of(new Load(1, 1, large))).fitsOneStore());
        assertEquals(large / 2, HeapPlan.of(List.of(new Load(1, 0, large))).payloadBytes());
        assertThrows(IllegalArgumentException.class, () -> HeapPlan.of(List.of(new Load(1L << 39, large, large))));
        assertThrows(IllegalArgumentException.class,
            () -> HeapPlan.of(List.of(new Load(1L << 39, 1, 1), new Load(1L << 39, 1, 1))));
    }

    @ParameterizedTest
    @CsvSource({"-1, 1, 1", "1099511627776, 1, 1", "1, -1, 1", "1, 2, 1", "1, 1, 8796093022208"})
    void load_outOfRange_throws(long chunks, long bytesMin, long bytesMax) {
        assertThrows(IllegalArgumentException.class, () -> new Load(chunks, bytesMin, bytesMax));
    }
}
