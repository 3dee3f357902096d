package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.collect.ChunkCollection;
import io.teff.engine.config.DebugLevel;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.config.TestConfig;
import io.teff.engine.map.AtomicMap;
import io.teff.engine.os.Platform;
import io.teff.engine.view.EditScope;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;

/**
 * One sequence of random operations on a map, beside a JDK map that defines the expected results.
 *
 * <p>Swarm testing: the seed determines the number of keys, the length of values and the frequency of operations, so
 * that some maps grow and shrink many times and some have mostly overflow values. A thread defragments all the time.
 * From time to time the map is audited, compared, and opened in a restored store.
 *
 * @param <K> type of the keys
 * @param <M> kind of map
 * @param <J> kind of JDK map
 */
abstract class MapModel<K, M extends ConcurrentMap<K, byte[]> & ChunkCollection, J extends Map<K, byte[]>> {
    /** Number of operations common to all kinds of maps, without {@link #rare}. */
    private static final int KINDS = 11;
    private static final int PARTS = 3;

    final SplittableRandom random;
    M map;
    J model;
    private final LongFunction<K> maker;
    private final int steps;
    private final int keyCount;
    private final int lengthMax;
    private final int[] weights;
    private final int weightSum;
    private final MemoryDisk disk = new MemoryDisk();
    private Store store;

    /**
     * Draws the parameters of the sequence.
     *
     * @param maker makes a key from a number
     * @param seed seed of all random choices
     * @param steps length of the sequence
     * @param moreKinds number of operations of {@link #more}
     */
    MapModel(LongFunction<K> maker, long seed, int steps, int moreKinds) {
        this.maker = maker;
        this.steps = steps;
        random = Seed.random(seed);
        keyCount = 1 + random.nextInt(random.nextBoolean() ? 40 : 6000);
        lengthMax = new int[] {1, 40, 300, 900}[random.nextInt(4)];
        weights = new int[KINDS + moreKinds + 1];
        Arrays.setAll(weights, kind -> random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(8));
        weightSum = Arrays.stream(weights).sum();
        store = Store.open(config());
    }

    private StoreConfig config() {
        return TestConfig.platform(TestConfig.defragSlackBytes(StoreConfig.builder().memoryLimitBytes(192 << 20), 0)
            .debugLevel(random.nextInt(4) == 0 ? DebugLevel.CANARIES : DebugLevel.OFF),
                Platform.SYSTEM.withDisk(disk)).build();
    }

    // ---- implemented by each kind of map ----

    abstract M open(Store from, String name);

    /** Returns an empty JDK map of the same order, if there is one. */
    abstract J empty();

    abstract boolean update(K key, EditScope scope);

    /** Runs one of the operations that only this kind of map has, by number from 0. */
    void more(int kind, K key) {
        throw new AssertionError("kind " + kind);
    }

    /** Returns the keys in any order. */
    Iterator<K> keys() {
        return map.keySet().iterator();
    }

    /** Compares the map's entries with the model, one by one. */
    abstract void compareAll();

    /** Checks the map after the last {@code clear}. */
    void checkCleared() {}

    // ---- the sequence ----

    /** Runs the sequence and closes the store. */
    final void run() throws InterruptedException {
        map = open(store, "model");
        model = empty();
        AtomicBoolean done = new AtomicBoolean();
        for (int part = 0; part < PARTS; part++) {
            Store defragmented = store;
            Threads.Running defragmenter = Threads.start("defragmenter", ignored -> {
                for (int i = 0; i < 200 || !done.get(); i++) {
                    defragmented.defragment();
                }
            });
            try {
                for (int step = 0; step < steps / PARTS; step++) {
                    step(step);
                }
            } finally {
                done.set(true);
                defragmenter.end();
            }
            compare();
            store.audit();
            store = disk.reopen(store, config());
            map = open(store, "model");
            compare();
        }
        clear();
        compare();
        assertEquals(0, map.longSize());
        checkCleared();
        assertTrue(store.names().drop("model"));
        store.audit();
        store.close();
    }

    final K key() {
        return maker.apply(random.nextInt(keyCount));
    }

    @SuppressWarnings("unchecked")
    private AtomicMap<K, byte[]> atomic() {
        return (AtomicMap<K, byte[]>) (Object) map;
    }

    private void step(int step) {
        K key = key();
        byte[] value = new byte[random.nextInt(20) == 0 ? random.nextInt(1200) : random.nextInt(lengthMax + 1)];
        random.nextBytes(value);
        int kind = kind();
        switch (kind) {
            case 0 -> assertArrayEquals(model.put(key, value), map.put(key, value));
            case 1 -> assertArrayEquals(model.remove(key), map.remove(key));
            case 2 -> assertArrayEquals(model.get(key), map.get(key));
            case 3 -> {
                assertEquals(!model.containsKey(key), atomic().set(key, value));
                model.put(key, value);
            }
            case 4 -> assertEquals(model.remove(key) != null, atomic().delete(key));
            case 5 -> assertArrayEquals(model.putIfAbsent(key, value), map.putIfAbsent(key, value));
            case 6 -> assertArrayEquals(model.replace(key, value), map.replace(key, value));
            case 7 -> assertArrayEquals(model.compute(key, (same, old) -> longer(old)),
                map.compute(key, (same, old) -> longer(old)));
            case 8 -> assertArrayEquals(model.merge(key, value, MapModel::joined),
                map.merge(key, value, MapModel::joined));
            case 9 -> assertEquals(model.containsKey(key), map.containsKey(key));
            case 10 -> update(key);
            default -> {
                if (kind < weights.length - 1) {
                    more(kind - KINDS, key);
                } else {
                    rare(step);
                }
            }
        }
    }

    private int kind() {
        int drawn = random.nextInt(Math.max(weightSum, 1));
        for (int kind = 0; kind < weights.length; kind++) {
            drawn -= weights[kind];
            if (drawn < 0) {
                return kind;
            }
        }
        return 0;
    }

    private static byte[] longer(byte[] old) {
        return old == null ? new byte[] {1} : old.length > 600 ? null : Arrays.copyOf(old, old.length * 3 / 2 + 1);
    }

    private static byte[] joined(byte[] left, byte[] right) {
        byte[] both = Arrays.copyOf(left, Math.min(left.length + right.length, 1000));
        System.arraycopy(right, 0, both, left.length > 1000 ? 0 : Math.min(left.length, both.length),
            Math.max(0, both.length - left.length));
        return both.length > 900 ? null : both;
    }

    private void update(K key) {
        byte[] old = model.get(key);
        boolean there = update(key, editor -> {
            assertEquals(old.length, editor.length());
            if (old.length > 0) {
                editor.putByte(old.length - 1, (byte) 77);
            }
        });
        assertEquals(old != null, there);
        if (old != null && old.length > 0) {
            old[old.length - 1] = 77;
        }
    }

    private void rare(int step) {
        switch (random.nextInt(400)) {
            case 0 -> clear();
            case 1 -> compare();
            case 2 -> removeSome();
            default -> assertEquals(model.size(), map.size(), "step " + step);
        }
    }

    private void clear() {
        map.clear();
        model.clear();
    }

    private void removeSome() {
        Iterator<K> keys = keys();
        while (keys.hasNext()) {
            K key = keys.next();
            if (random.nextInt(4) > 0) {
                keys.remove();
                assertNotNull(model.remove(key));
            }
        }
    }

    private void compare() {
        map.audit();
        assertEquals(model.size(), map.longSize());
        model.forEach((key, value) -> assertArrayEquals(value, map.get(key)));
        compareAll();
    }
}
