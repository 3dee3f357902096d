package io.teff.engine.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Seed;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The tables behind the eviction, each beside a simple reference. */
final class AccessPolicyTest {
    private static final int ENTRIES = 1_000;

    @Test
    void sketch_neverCountsTooLow_andHardlyEverTooHigh() {
        FrequencySketch sketch = new FrequencySketch(ENTRIES);
        SplittableRandom random = Seed.random(1);
        long[] hashes = random.longs(ENTRIES).toArray();
        int wrong = 0;
        for (int i = 0; i < ENTRIES; i++) {
            for (int uses = 0; uses < i % 8; uses++) {
                sketch.use(hashes[i]);
            }
        }
        for (int i = 0; i < ENTRIES; i++) {
            assertTrue(sketch.count(hashes[i]) >= i % 8);
            wrong += sketch.count(hashes[i]) > i % 8 ? 1 : 0;
        }
        assertTrue(wrong < ENTRIES / 20, "too high " + wrong);
    }

    @Test
    void sketch_forgetsHalf_afterTenUsesPerEntry() {
        FrequencySketch sketch = new FrequencySketch(ENTRIES);
        SplittableRandom random = Seed.random(1);
        long hot = random.nextLong();
        for (int i = 0; i < FrequencySketch.COUNT_MAX + 5; i++) {
            sketch.use(hot);
        }
        assertEquals(FrequencySketch.COUNT_MAX, sketch.count(hot));
        for (int i = 0; i < 10 * ENTRIES; i++) {
            sketch.use(random.nextLong());
        }
        assertTrue(sketch.count(hot) <= FrequencySketch.COUNT_MAX / 2 + 1, "count " + sketch.count(hot));
    }

    @Test
    void recency_ordersKeys_byTheirLastUse() {
        RecencyTable table = new RecencyTable(ENTRIES);
        SplittableRandom random = Seed.random(1);
        long[] hashes = random.longs(ENTRIES).toArray();
        for (long hash : hashes) {
            table.use(hash);
            table.added();
        }
        int wrong = 0;
        for (int i = 0; i < ENTRIES; i++) {
            wrong += Math.abs(table.age(hashes[i]) - (ENTRIES - i) * RecencyTable.TICKS / ENTRIES) > 2 ? 1 : 0;
        }
        assertTrue(wrong < ENTRIES / 2, "wrong " + wrong);
        for (int i = 0; i < 8 * ENTRIES; i++) {
            table.added();
        }
        for (long hash : hashes) {
            assertEquals(RecencyTable.OLDEST, table.age(hash));
        }
    }

    @Test
    void shadowIndex_findsWhatItHas() {
        SplittableRandom random = Seed.random(1);
        long[] hashes = new long[64];
        ShadowIndex index = new ShadowIndex(hashes);
        List<Integer> free = new ArrayList<>(IntStream.range(0, hashes.length).boxed().toList());
        List<Integer> used = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            if (!free.isEmpty() && (used.isEmpty() || random.nextBoolean())) {
                int slot = free.removeLast();
                hashes[slot] = random.nextLong();
                index.add(slot);
                used.add(slot);
            } else {
                int slot = used.remove(random.nextInt(used.size()));
                index.remove(slot);
                assertEquals(-1, index.find(hashes[slot]));
                free.add(slot);
            }
            used.forEach(slot -> assertEquals(slot, index.find(hashes[slot])));
        }
    }

    @Test
    void shadowRecent_equalsALinkedSet() {
        SplittableRandom random = Seed.random(1);
        for (int capacity : new int[] {1, 2, 3, 64}) {
            ShadowRecent shadow = new ShadowRecent(capacity);
            LinkedHashSet<Long> reference = new LinkedHashSet<>();
            for (int step = 0; step < 5_000; step++) {
                long hash = Spread.of(random.nextInt(3 * capacity) + 1L);
                boolean isThere = reference.remove(hash);
                if (!isThere && reference.size() == capacity) {
                    reference.removeFirst();
                }
                reference.add(hash);
                assertEquals(isThere, shadow.use(hash));
            }
        }
    }

    @Test
    void duel_prefersRecencyForDriftingKeys_andFrequencyForALoop() {
        FrequencySketch sketch = new FrequencySketch(ENTRIES);
        ShadowDuel duel = new ShadowDuel(ENTRIES, sketch);
        SplittableRandom random = Seed.random(1);
        for (int i = 0; i < 100 * ENTRIES; i++) {
            use(sketch, duel, i / 2 + random.nextInt(ENTRIES / 2));
        }
        assertTrue(duel.prefersRecent());
        for (int i = 0; i < 100 * ENTRIES; i++) {
            use(sketch, duel, i % (2 * ENTRIES));
        }
        assertFalse(duel.prefersRecent());
    }

    private static void use(FrequencySketch sketch, ShadowDuel duel, long key) {
        long hash = Spread.of(key * Spread.FIRST + 1);
        sketch.use(hash);
        if (duel.isSampled(hash)) {
            duel.use(hash);
        }
    }
}
