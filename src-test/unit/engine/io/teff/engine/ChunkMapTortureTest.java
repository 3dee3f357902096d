package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.Codecs;
import io.teff.engine.collect.ChunkLongMap;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: under eight threads, a value is always one that was put as a whole, no update of one key is lost, a walk shows
 * what stays exactly once, and all invariants hold, while the map grows and shrinks and the store is defragmented.
 *
 * <p>Method: values prove themselves: all their bytes follow from the first one and the key. Counters that only grow by
 * {@code merge} must add up. Keys that nobody removes must be in each walk.
 */
@Tag("modes")
@Tag("heavy")
final class ChunkMapTortureTest {
    private static final int THREADS = 8;
    private static final int OPERATIONS = Integer.getInteger("teff.map.operations", 120_000);
    private static final int STABLE = 2000;
    private static final int COUNTERS = 64;
    private static final int KEYS = 30_000;

    private final Store store = Store.open(StoreConfig.builder().memoryLimitBytes(512 << 20).stripes(256)
        .defragSlackBytes(0).build());
    private final ChunkLongMap<byte[]> map = store.longMap("torture", Codecs.BYTES);
    private final AtomicLongArray counts = new AtomicLongArray(COUNTERS);

    @ParameterizedTest
    @ValueSource(ints = {8, 60, 400, 1500})
    void mixedOperations_everyValueIsWhole(int lengthMax) throws InterruptedException {
        long seed = Seed.first();
        AtomicBoolean done = new AtomicBoolean();
        for (long key = 0; key < STABLE; key++) {
            map.set(-1 - key, value(-1 - key, lengthMax, (byte) 1));
        }
        Threads.Running care = Threads.start("care", ignored -> {
            while (!done.get()) {
                store.defragment();
                map.audit();
                store.audit();
            }
        });
        Threads.Running walker = Threads.start("walker", ignored -> {
            while (!done.get()) {
                walk();
            }
        });
        try {
            Threads.runAll(THREADS, number -> new Worker(seed + number, lengthMax, number).run());
        } catch (AssertionError e) {
            throw new AssertionError(Seed.reproduce(ChunkMapTortureTest.class, seed), e);
        } finally {
            done.set(true);
            care.end();
            walker.end();
        }
        for (int i = 0; i < COUNTERS; i++) {
            assertEquals(counts.get(i), map.getLong(counter(i), 0, 0), Seed.reproduce(ChunkMapTortureTest.class, seed));
        }
        map.audit();
        map.clear();
        map.audit();
        assertTrue(map.isEmpty());
        store.audit();
        store.close();
    }

    private static long counter(int i) {
        return Long.MAX_VALUE - i;
    }

    private void walk() {
        BitSet seen = new BitSet();
        map.forEachEntry((key, value) -> {
            if (key < 0) {
                assertFalse(seen.get((int) (-1 - key)), "twice: " + key);
                seen.set((int) (-1 - key));
            }
            if (key < Long.MAX_VALUE - COUNTERS) {
                check(key, value, value.length);
            }
        });
        assertEquals(STABLE, seen.cardinality(), "a walk missed some");
    }

    /** All bytes are the first one, mixed with the key. */
    private static byte[] value(long key, int lengthMax, byte first) {
        byte[] value = new byte[1 + (int) ((first & 0xFF) * 31L + (key & 0xFF)) % lengthMax];
        Arrays.fill(value, (byte) (first ^ key));
        return value;
    }

    private static void check(long key, byte[] value, int length) {
        for (int i = 1; i < length; i++) {
            if (value[i] != value[0]) {
                throw new AssertionError("key " + key + " has a torn value at " + i + " of " + length);
            }
        }
    }

    /** One thread. */
    private final class Worker {
        private final SplittableRandom random;
        private final int lengthMax;
        private final byte[] target = new byte[2048];
        private final int phase;

        Worker(long seed, int lengthMax, int number) {
            random = Seed.random(seed);
            this.lengthMax = lengthMax;
            phase = number % 2;
        }

        void run() {
            for (int i = 0; i < OPERATIONS; i++) {
                boolean growing = i / 10_000 % 2 == phase;
                long key = random.nextInt(KEYS);
                switch (random.nextInt(10)) {
                    case 0, 1, 2 -> {
                        if (growing) {
                            map.set(key, value(key, lengthMax, (byte) random.nextInt()));
                        } else {
                            map.delete(key);
                        }
                    }
                    case 3 -> stable();
                    case 4 -> count();
                    case 5 -> map.computeIfPresent(key, (same, old) -> {
                        check(same, old, old.length);
                        return value(same, lengthMax, (byte) (old[0] ^ same + 1));
                    });
                    case 6 -> map.update(key, editor -> {
                        byte changed = (byte) random.nextInt();
                        for (int at = 0; at < editor.length(); at++) {
                            editor.putByte(at, changed);
                        }
                    });
                    case 7 -> map.read(key, view -> {
                        for (int at = 1; at < view.length(); at++) {
                            assertEquals(view.getByte(0), view.getByte(at));
                        }
                    });
                    default -> {
                        int length = map.getBytes(key, target, 0);
                        if (length >= 0) {
                            check(key, target, length);
                        }
                    }
                }
            }
        }

        private void stable() {
            long key = -1L - random.nextInt(STABLE);
            if (random.nextBoolean()) {
                map.set(key, value(key, lengthMax, (byte) random.nextInt()));
            } else {
                int length = map.getBytes(key, target, 0);
                assertTrue(length > 0, "a key that stays is gone: " + key + " " + length);
                check(key, target, length);
            }
        }

        private void count() {
            int counter = random.nextInt(COUNTERS);
            counts.incrementAndGet(counter);
            map.merge(counter(counter), new byte[] {1, 0, 0, 0, 0, 0, 0, 0}, (left, right) -> {
                byte[] sum = left.clone();
                for (int i = 0; i < sum.length && ++sum[i] == 0; i++) {
                    continue;
                }
                return sum;
            });
        }
    }
}
