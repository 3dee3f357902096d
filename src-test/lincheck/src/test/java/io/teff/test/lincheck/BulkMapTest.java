package io.teff.test.lincheck;

import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkSortedLongMap;
import io.teff.engine.config.StoreConfig;
import io.teff.test.kit.tier.FullTier;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.concurrent.ConcurrentMap;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Goal: a bulk operation, an iterator and an entry decide on each entry of a map at one moment. Method: histories of
 * bulk and single operations on one key of the real maps, by Lincheck's stress mode. The constructor of an instance
 * empties the map, since histories run one after the other.
 */
@FullTier("Stress with many scenarios, a part of the 166 s of this lane. ChunkMapTest has the same mode for "
    + "single operations, and MapTorture changes many entries by many threads.")
final class BulkMapTest {
    private static final Store STORE = Store.open(StoreConfig.builder().memoryLimitBytes(1L << 28).build());
    private static final ChunkMap<Integer, String> HASHED = STORE.map("hashed", Codecs.INT, Codecs.STRING);
    private static final ChunkSortedLongMap<String> SORTED = STORE.sortedLongMap("sorted", Codecs.STRING);

    /** The operations on any map. */
    @Param(name = "value", gen = IntGen.class, conf = "1:3")
    public abstract static class Operations<K> {
        final Map<K, String> map;
        final K key;

        Operations(Map<K, String> map, K key) {
            this.map = map;
            this.key = key;
            map.clear();
        }

        /** Returns a value; lengths differ much, and some are overflow values. */
        static String value(int value) {
            return value + "v".repeat(value == 3 ? 700 : value * 20);
        }

        static String next(String value) {
            return value(value.charAt(0) % 3 + 1);
        }

        /** Gets. */
        @Operation
        public String get() {
            return map.get(key);
        }

        /** Puts. */
        @Operation
        public String put(@Param(name = "value") int value) {
            return map.put(key, value(value));
        }

        /** Removes. */
        @Operation
        public String remove() {
            return map.remove(key);
        }

        /** Removes a value by the view of values. */
        @Operation
        public boolean removeValue(@Param(name = "value") int value) {
            return map.values().remove(value(value));
        }

        /** Removes values that are at least as long. */
        @Operation
        public boolean removeIf(@Param(name = "value") int value) {
            return map.values().removeIf(other -> other.length() >= value(value).length());
        }

        /** Removes entries that are at most as long. */
        @Operation
        public boolean removeEntries(@Param(name = "value") int value) {
            return map.entrySet().removeIf(entry -> entry.getValue().length() <= value(value).length());
        }

        /** Removes all values but one. */
        @Operation
        public boolean retain(@Param(name = "value") int value) {
            return map.values().retainAll(List.of(value(value)));
        }

        /** Replaces each value. */
        @Operation
        public void replaceAll() {
            map.replaceAll((same, value) -> next(value));
        }

        /** Removes a value by an iterator. */
        @Operation
        public void removeShown(@Param(name = "value") int value) {
            Iterator<String> iterator = map.values().iterator();
            if (iterator.hasNext() && iterator.next().equals(value(value))) {
                iterator.remove();
            }
        }

        /** Replaces a value by its entry. */
        @Operation
        public String setValue(@Param(name = "value") int value) {
            Iterator<Entry<K, String>> iterator = map.entrySet().iterator();
            return iterator.hasNext() ? iterator.next().setValue(value(value)) : null;
        }
    }

    /** A hash map. */
    public static class Hashed extends Operations<Integer> {
        /** Empties the map. */
        public Hashed() {
            super(HASHED, 7);
        }
    }

    /** A submap of a sorted map, downwards. */
    public static class Sorted extends Operations<Long> {
        /** Empties the map. */
        public Sorted() {
            super(SORTED.subMap(0L, 100L).descendingMap(), 7L);
        }
    }

    /** A removal that first tests, then removes. */
    public static class Broken extends Hashed {
        @Override
        public boolean removeIf(int value) {
            String before = get();
            Thread.yield();
            return before != null && before.length() >= value(value).length() && remove() != null;
        }
    }

    /** The specification. */
    public static class Specification extends Operations<Integer> {
        /** Creates an empty map. */
        public Specification() {
            super(new HashMap<>(), 7);
        }

        @Override
        public String setValue(int value) {
            return map.replace(key, value(value));
        }
    }

    @Test
    void hashMap_isLinearizable() {
        Stress.mustBeLinearizable(Hashed.class, Specification.class);
        audit(HASHED);
    }

    @Test
    void sortedMap_isLinearizable() {
        Stress.mustBeLinearizable(Sorted.class, Specification.class);
        audit(SORTED);
    }

    @Test
    void brokenTwin_isCaught() {
        Stress.mustBeCaught(Broken.class, Specification.class);
    }

    private static void audit(ConcurrentMap<?, ?> map) {
        map.clear();
        STORE.audit();
    }
}
