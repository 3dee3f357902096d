package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Codecs;
import io.teff.engine.collect.ChunkMap;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: any sequence of operations leaves a map equal to a HashMap, whatever the defragmenter does meanwhile.
 *
 * <p>Method: swarm. Each seed draws how many keys there are, how long values are and which operations are frequent, so
 * that some maps are split and merged many times and some have most of their values outside of the buckets; then it
 * runs them beside a HashMap. A thread defragments all the time. Now and then the map is audited, compared, and found
 * again in a restored store. {@code -Dteff.map.sequences} and {@code -Dteff.map.steps} set the size.
 */
@Tag("modes")
@Tag("heavy")
final class ChunkMapModelTest {
    private static final int SEQUENCES = Integer.getInteger("teff.map.sequences", 12);
    private static final int STEPS = Integer.getInteger("teff.map.steps", 60_000);
    private static final int KINDS = 12;

    /** Which keys. */
    enum Keys {
        /** Numbers. */
        LONG,
        /** Strings, some of them longer than what a bucket takes. */
        STRING,
        /** Four bytes. */
        INT
    }

    private final MemoryDisk disk = new MemoryDisk();

    private StoreConfig config(SplittableRandom random) {
        return StoreConfig.builder().memoryLimitBytes(192 << 20).defragSlackBytes(0)
            .debugLevel(random.nextInt(4) == 0 ? DebugLevel.CANARIES : DebugLevel.OFF)
            .seams(StoreConfig.defaults().time(), disk, StoreConfig.defaults().background()).build();
    }

    @ParameterizedTest
    @EnumSource
    void anySequence_equalsHashMap(Keys keys) throws InterruptedException {
        long first = Seed.first();
        for (long seed = first; seed < first + SEQUENCES; seed++) {
            try {
                switch (keys) {
                    case LONG -> new Run<>(Codecs.LONG, key -> key * 0x1_0001, seed).run();
                    case STRING -> new Run<>(Codecs.STRING,
                        key -> key + "k".repeat((int) (key % 97 == 0 ? 700 : key % 9)), seed).run();
                    case INT -> new Run<>(Codecs.INT, key -> (int) key, seed).run();
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(Seed.reproduce(ChunkMapModelTest.class, seed, "-Dteff.map.sequences=1"), e);
            }
        }
    }

    /** One sequence. */
    private final class Run<K> {
        private final Codec<K> codec;
        private final LongFunction<K> maker;
        private final SplittableRandom random;
        private final Map<K, byte[]> model = new HashMap<>();
        private final int keyCount;
        private final int lengthMax;
        private final int[] weights = new int[KINDS];
        private int weightSum;
        private Store store;
        private ChunkMap<K, byte[]> map;

        Run(Codec<K> codec, LongFunction<K> maker, long seed) {
            this.codec = codec;
            this.maker = maker;
            random = Seed.random(seed);
            keyCount = 1 + random.nextInt(random.nextBoolean() ? 40 : 6000);
            lengthMax = new int[] {1, 40, 300, 900}[random.nextInt(4)];
            for (int i = 0; i < KINDS; i++) {
                weights[i] = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(8);
                weightSum += weights[i];
            }
            store = Store.open(config(random));
            map = store.map("model", codec, Codecs.BYTES);
        }

        void run() throws InterruptedException {
            AtomicBoolean done = new AtomicBoolean();
            for (int part = 0; part < 3; part++) {
                Store defragmented = store;
                Threads.Running defragmenter = Threads.start("defragmenter", ignored -> {
                    for (int i = 0; i < 200 || !done.get(); i++) {
                        defragmented.defragment();
                    }
                });
                try {
                    for (int step = 0; step < STEPS / 3; step++) {
                        step(step);
                    }
                } finally {
                    done.set(true);
                    defragmenter.end();
                }
                compare();
                store.audit();
                reopen();
            }
            map.clear();
            model.clear();
            compare();
            assertEquals(0, map.longSize());
            store.close();
        }

        private void reopen() {
            Path path = Path.of("map.teff");
            disk.files.clear();
            store.snapshot(path);
            store.close();
            store = Store.restore(path, config(random));
            map = store.map("model", codec, Codecs.BYTES);
            compare();
        }

        private void step(int step) {
            K key = maker.apply(random.nextInt(keyCount));
            byte[] value = new byte[random.nextInt(20) == 0 ? random.nextInt(1200) : random.nextInt(lengthMax + 1)];
            random.nextBytes(value);
            switch (kind()) {
                case 0 -> assertSame(model.put(key, value), map.put(key, value));
                case 1 -> assertSame(model.remove(key), map.remove(key));
                case 2 -> assertSame(model.get(key), map.get(key));
                case 3 -> {
                    assertEquals(!model.containsKey(key), map.set(key, value));
                    model.put(key, value);
                }
                case 4 -> assertEquals(model.remove(key) != null, map.delete(key));
                case 5 -> assertSame(model.putIfAbsent(key, value), map.putIfAbsent(key, value));
                case 6 -> assertSame(model.replace(key, value), map.replace(key, value));
                case 7 -> assertSame(model.compute(key, (same, old) -> longer(old)),
                    map.compute(key, (same, old) -> longer(old)));
                case 8 -> assertSame(model.merge(key, value, ChunkMapModelTest::joined),
                    map.merge(key, value, ChunkMapModelTest::joined));
                case 9 -> assertEquals(model.containsKey(key), map.containsKey(key));
                case 10 -> update(key);
                default -> rare(step);
            }
        }

        private int kind() {
            int drawn = random.nextInt(Math.max(weightSum, 1));
            for (int kind = 0; kind < KINDS; kind++) {
                drawn -= weights[kind];
                if (drawn < 0) {
                    return kind;
                }
            }
            return 0;
        }

        private void update(K key) {
            byte[] old = model.get(key);
            boolean there = map.update(key, editor -> {
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
                case 0 -> {
                    map.clear();
                    model.clear();
                }
                case 1 -> compare();
                case 2 -> removeSome();
                default -> assertEquals(model.size(), map.size(), "step " + step);
            }
        }

        private void removeSome() {
            Iterator<K> keys = map.keySet().iterator();
            while (keys.hasNext()) {
                K key = keys.next();
                if (random.nextBoolean()) {
                    keys.remove();
                    assertNotNull(model.remove(key));
                }
            }
        }

        private void compare() {
            map.audit();
            assertEquals(model.size(), map.longSize());
            model.forEach((key, value) -> assertArrayEquals(value, map.get(key)));
            int[] seen = new int[1];
            map.forEach((key, value) -> {
                assertArrayEquals(model.get(key), value);
                seen[0]++;
            });
            assertEquals(model.size(), seen[0]);
        }
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

    private static void assertSame(byte[] expected, byte[] actual) {
        assertArrayEquals(expected, actual);
    }
}
