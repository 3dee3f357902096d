package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.collect.ChunkCollection;
import io.teff.engine.collect.LongKeyed;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.config.TestConfig;
import io.teff.engine.view.EditScope;
import io.teff.engine.view.ReadScope;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: under eight threads, a value is always one that was put as a whole, no update of one key is lost, a walk shows
 * each stable entry exactly once, and all invariants hold, while the map grows and shrinks and the store is
 * defragmented.
 *
 * <p>Method: values prove themselves: all their bytes follow from the first byte and the key. Counters that grow only
 * by {@code merge} must add up. Keys that are never removed, the negative ones, must occur in each walk.
 *
 * @param <M> kind of map
 */
abstract class MapTorture<M extends ConcurrentMap<Long, byte[]> & LongKeyed<byte[]> & ChunkCollection> {
    static final int THREADS = 8;
    static final int OPERATIONS = Form.size("teff.map.operations", 8000, 30_000, 120_000);
    static final int STABLE = 2000;
    static final int KEYS = 30_000;

    private static final int COUNTERS = 64;

    final Store store = Store.open(TestConfig.defragSlackBytes(TestConfig.stripes(StoreConfig.builder()
        .memoryLimitBytes(512 << 20), 256), 0).build());
    final M map = open(store);
    private final AtomicLongArray counts = new AtomicLongArray(COUNTERS);

    // ---- implemented by each kind of map ----

    abstract M open(Store from);

    abstract boolean read(long key, ReadScope scope);

    abstract boolean update(long key, EditScope scope);

    /** Walks over the map and checks the entries. */
    abstract void walk();

    /** Called when a stable key was found. */
    void checkStable(long key) {}

    // ---- the test ----

    @ParameterizedTest
    @ValueSource(ints = {8, 60, 400, 1500})
    final void mixedOperations_everyValueIsWhole(int lengthMax) throws InterruptedException {
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
            done.set(true);
            care.end();
            walker.end();
        } catch (AssertionError e) {
            throw new AssertionError(Seed.reproduce(getClass(), seed), e);
        } finally {
            done.set(true);
        }
        for (int i = 0; i < COUNTERS; i++) {
            assertEquals(counts.get(i), map.getLong(counter(i), 0, 0), Seed.reproduce(getClass(), seed));
        }
        map.audit();
        map.clear();
        map.audit();
        assertTrue(map.isEmpty());
        store.audit();
        store.close();
    }

    private static long counter(int i) {
        return Long.MAX_VALUE - 1 - i;
    }

    /** Returns a value whose bytes all follow from the first byte and the key. */
    private static byte[] value(long key, int lengthMax, byte first) {
        byte[] value = new byte[1 + (int) ((first & 0xFF) * 31L + (key & 0xFF)) % lengthMax];
        Arrays.fill(value, (byte) (first ^ key));
        return value;
    }

    /** Checks an entry of a walk. */
    static void checkWhole(long key, byte[] value) {
        if (key < Long.MAX_VALUE - 1 - COUNTERS) {
            checkWhole(key, value, value.length);
        }
    }

    private static void checkWhole(long key, byte[] value, int length) {
        for (int i = 1; i < length; i++) {
            if (value[i] != value[0]) {
                throw new AssertionError("key " + key + " has a torn value at " + i + " of " + length);
            }
        }
    }

    /** A worker thread. */
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
                        checkWhole(same, old, old.length);
                        return value(same, lengthMax, (byte) (old[0] ^ same + 1));
                    });
                    case 6 -> update(key, editor -> {
                        byte changed = (byte) random.nextInt();
                        for (int at = 0; at < editor.length(); at++) {
                            editor.putByte(at, changed);
                        }
                    });
                    case 7 -> read(key, view -> {
                        for (int at = 1; at < view.length(); at++) {
                            assertEquals(view.getByte(0), view.getByte(at));
                        }
                    });
                    case 8 -> {
                        byte[] value = map.get(key);
                        if (value != null) {
                            checkWhole(key, value, value.length);
                        }
                    }
                    default -> {
                        if (random.nextInt(4) == 0) {
                            getAll(key);
                        } else {
                            checkWhole(key, target, map.getBytes(key, target, 0));
                        }
                    }
                }
            }
        }

        private void getAll(long first) {
            long[] keys = new long[40];
            Arrays.setAll(keys, i -> first + i * 17L);
            int[] lengths = new int[keys.length];
            byte[] values = new byte[keys.length * 2048];
            map.getAllBytes(keys, 0, keys.length, values, 0, lengths);
            int at = 0;
            for (int i = 0; i < keys.length; i++) {
                int end = at + Math.max(lengths[i], 0);
                checkWhole(keys[i], Arrays.copyOfRange(values, at, end), end - at);
                at = end;
            }
        }

        private void stable() {
            long key = -1L - random.nextInt(STABLE);
            if (random.nextBoolean()) {
                map.set(key, value(key, lengthMax, (byte) random.nextInt()));
                return;
            }
            byte[] value = map.get(key);
            assertNotNull(value, "a key that stays is gone: " + key);
            checkWhole(key, value, value.length);
            int length = map.getBytes(key, target, 0);
            assertTrue(length > 0, "a key that stays is gone: " + key + " " + length);
            checkWhole(key, target, length);
            checkStable(key);
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
