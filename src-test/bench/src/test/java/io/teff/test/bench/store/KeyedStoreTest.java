package io.teff.test.bench.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.tier.FullTier;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Goal: a compared store keeps its entries, so that its figures are those of the work. Method: some thousand entries,
 * then random operations beside a {@code HashMap}. Stores that open the JDK's modules have JVMs of their own, and are
 * in {@code SessionProcessTest}.
 */
@FullTier("Thousands of operations on each store that is compared, one of the tests with runs, which take most "
    + "of the 379 s of this lane. ValuesTest and StoreKindTest have what the stores are given.")
final class KeyedStoreTest {
    private static final int ENTRIES = Form.size(1000, 3000);
    private static final int STEPS = Form.size(3000, 6000);
    private static final int STEPS_PER_SUM = 1000;
    private static final int GROUP = 64;
    private static final long MEMORY_BYTES = 128L << 20;

    static Stream<Arguments> stores() {
        List<StoreKind> kinds = Arrays.stream(StoreKind.values())
            .filter(kind -> kind.flags().stream().noneMatch(flag -> flag.startsWith("--add-"))).toList();
        assertTrue(kinds.contains(StoreKind.TEFF) && kinds.contains(StoreKind.INFINISPAN), kinds::toString);
        return kinds.stream().flatMap(kind -> Stream.of(new Values(32, 32), new Values(8, 256))
            .filter(values -> !kind.isForOneLength() || values.lengthMin() == values.lengthMax())
            .map(values -> Arguments.of(kind, values)));
    }

    @ParameterizedTest
    @MethodSource("stores")
    void anyOperations_randomOrder_leaveTheStoreEqualToAMap(StoreKind kind, Values values) {
        long seed = Seed.first();
        try (KeyedStore store = kind.open(ENTRIES, values, MEMORY_BYTES)) {
            new Model(store, values, !kind.isForOneLength(), seed).run();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(kind + ", " + values + " B; reproduce: -Dtest=KeyedStoreTest -Dseed=" + seed, e);
        }
    }

    /** A store and its expected content. */
    private static final class Model {
        private final KeyedStore store;
        private final Values values;
        /** Whether it reports absent entries. */
        private final boolean removes;
        private final SplittableRandom random;
        private final long[] names = new long[ENTRIES + STEPS];
        private final long[] live = new long[ENTRIES];
        private final Map<Long, byte[]> expected = new HashMap<>();
        private final byte[] target = new byte[256];
        private long nextKey;

        Model(KeyedStore store, Values values, boolean removes, long seed) {
            this.store = store;
            this.values = values;
            this.removes = removes;
            this.random = new SplittableRandom(seed);
        }

        void run() {
            assertEquals(0, removes ? store.sum() : 0, "of an empty store");
            for (int place = 0; place < ENTRIES; place++) {
                create(place);
                assertEquals(names[0] + place, names[place], "names follow each other");
            }
            for (int step = 0; step < STEPS; step++) {
                step(random.nextInt(ENTRIES));
                if (step % STEPS_PER_SUM == 0) {
                    assertEquals(expected.keySet().stream().mapToLong(key -> key).sum(), store.sum());
                }
            }
            for (long key : live) {
                get(key);
                assertTrue(store.remove(name(key)), () -> "key=" + key);
            }
        }

        private void step(int place) {
            long key = live[place];
            switch (random.nextInt(removes ? 5 : 4)) {
                case 0 -> store.put(name(key), kept(key));
                case 1 -> get(key);
                case 2 -> assertEquals(key, store.readLong(name(key)));
                case 3 -> getAll();
                default -> {
                    assertTrue(store.remove(name(key)), () -> "key=" + key);
                    expected.remove(key);
                    assertTrue(store.get(name(key), target) < 0, () -> "key=" + key + " is there after its removal");
                    assertEquals(-1, store.readLong(name(key)));
                    assertFalse(store.remove(name(key)), () -> "key=" + key + " was removed twice");
                    create(place);
                }
            }
        }

        private void create(int place) {
            long key = nextKey++;
            byte[] value = kept(key);
            names[(int) key] = store.create(key, value);
            Arrays.fill(value, (byte) -1);                      // the array is the caller's
            live[place] = key;
        }

        private long name(long key) {
            return names[(int) key];
        }

        /** Returns a new value of a key, random behind the key; the model keeps a copy. */
        private byte[] kept(long key) {
            byte[] value = new byte[values.length(key)];
            random.nextBytes(value);
            KeyedStore.LONG.set(value, 0, key);
            expected.put(key, value.clone());
            return value;
        }

        private void get(long key) {
            int length = store.get(name(key), target);
            assertEquals(values.length(key), length, () -> "length of key=" + key);
            assertArrayEquals(expected.get(key), Arrays.copyOf(target, length), () -> "key=" + key);
        }

        private void getAll() {
            long[] keys = random.ints(GROUP, 0, ENTRIES).mapToLong(place -> live[place]).toArray();
            long[] wanted = Arrays.stream(keys).map(this::name).toArray();
            int[] lengths = new int[GROUP];
            byte[] all = new byte[GROUP * 256];
            store.getAll(wanted, lengths, all);
            int from = 0;
            for (int i = 0; i < GROUP; i++) {
                long key = keys[i];
                assertArrayEquals(expected.get(key), Arrays.copyOfRange(all, from, from + lengths[i]),
                    () -> "key=" + key);
                from += lengths[i];
            }
        }
    }
}
