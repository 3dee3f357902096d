package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkSortedLongMap;
import io.teff.engine.view.EditScope;
import io.teff.engine.view.ReadScope;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentNavigableMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Goal and method of {@link MapTorture}, applied to sorted maps: upwards, downwards and in submaps. */
@Tag("modes")
@Tag("heavy")
final class ChunkSortedMapTortureTest extends MapTorture<ChunkSortedLongMap<byte[]>> {
    @Override
    ChunkSortedLongMap<byte[]> open(Store from) {
        return from.sortedLongMap("torture", Codecs.BYTES);
    }

    @Override
    boolean read(long key, ReadScope scope) {
        return map.read(key, scope);
    }

    @Override
    boolean update(long key, EditScope scope) {
        return map.update(key, scope);
    }

    @Override
    void checkStable(long key) {
        assertEquals(key, map.floorKey(key, 0));
        assertEquals(key, map.ceilingKey((Long) key));
    }

    @Override
    void walk() {
        walk(map, 1);
        walk(map.descendingMap(), -1);
        walk(map.headMap(KEYS / 2L), 1);
        walk(map.descendingMap().tailMap(KEYS / 2L), -1);
    }

    /** Keys are in order, thus not twice; all keys that are never removed, the negative ones, are present. */
    private static void walk(ConcurrentNavigableMap<Long, byte[]> shown, int direction) {
        long[] last = {direction > 0 ? Long.MIN_VALUE : Long.MAX_VALUE};
        int[] stable = new int[1];
        shown.forEach((key, value) -> {
            assertTrue(Long.compare(key, last[0]) == direction, "not in order: " + last[0] + ", " + key);
            last[0] = key;
            if (key < 0) {
                stable[0]++;
            }
            checkWhole(key, value);
        });
        assertEquals(STABLE, stable[0], "a walk missed some");
        int keys = 0;
        for (long key : shown.keySet()) {
            keys += key < 0 ? 1 : 0;
        }
        assertEquals(STABLE, keys, "a walk over keys missed some");
    }

    /** Each thread fills and empties the same few leaves; its own keys must be present after it has put them. */
    @Test
    void fewLeaves_areSplitAndJoinedAllTheTime() throws InterruptedException {
        Threads.runAll(THREADS, number -> {
            SplittableRandom random = Seed.random(number);
            for (int round = 0; round < OPERATIONS / 400; round++) {
                int count = 1 + random.nextInt(60);
                long from = random.nextInt(40) * 100L;
                for (int i = 0; i < count; i++) {
                    map.set((from + i) * THREADS + number, new byte[480]);
                }
                for (int i = 0; i < count; i++) {
                    assertNotNull(map.get((from + i) * THREADS + number));
                }
                for (int i = 0; i < count; i++) {
                    assertTrue(map.delete((from + i) * THREADS + number));
                }
                if (number == 0 && round % 50 == 0) {
                    map.audit();
                }
            }
        });
        map.audit();
        assertEquals(0, map.longSize());
        store.close();
    }
}
