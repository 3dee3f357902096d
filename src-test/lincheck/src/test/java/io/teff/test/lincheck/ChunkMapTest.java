package io.teff.test.lincheck;

import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.config.StoreConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Goal: operations on a map are linearizable. Method: Lincheck's stress mode on the real map, which all instances
 * share; each instance has keys of its own, so that the map grows meanwhile. (Lincheck's model checker does not observe
 * off-heap memory.)
 */
final class ChunkMapTest {
    private static final int KEYS = 8;
    private static final ChunkMap<Integer, String> MAP = Store.open(StoreConfig.builder().memoryLimitBytes(1L << 30)
        .build()).map("lincheck", Codecs.INT, Codecs.STRING);

    /** The operations on any map. */
    @Param(name = "key", gen = IntGen.class, conf = "0:2")
    @Param(name = "value", gen = IntGen.class, conf = "1:3")
    public abstract static class Operations {
        /** The map. */
        abstract Map<Integer, String> map();

        /** Returns the offset that is added to each key. */
        int base() {
            return 0;
        }

        /** Returns a value; lengths differ much, and some are overflow values. */
        static String value(int value) {
            return value + "v".repeat(value == 3 ? 700 : value * 20);
        }

        /** Gets. */
        @Operation
        public String get(@Param(name = "key") int key) {
            return map().get(base() + key);
        }

        /** Puts. */
        @Operation
        public String put(@Param(name = "key") int key, @Param(name = "value") int value) {
            return map().put(base() + key, value(value));
        }

        /** Removes. */
        @Operation
        public String remove(@Param(name = "key") int key) {
            return map().remove(base() + key);
        }

        /** Puts if the key is absent. */
        @Operation
        public String putIfAbsent(@Param(name = "key") int key, @Param(name = "value") int value) {
            return map().putIfAbsent(base() + key, value(value));
        }

        /** Replaces one value by another. */
        @Operation
        public boolean replace(@Param(name = "key") int key, @Param(name = "value") int value) {
            return map().replace(base() + key, value(value), value(value % 3 + 1));
        }

        /** Removes one value. */
        @Operation
        public boolean removeValue(@Param(name = "key") int key, @Param(name = "value") int value) {
            return map().remove(base() + key, value(value));
        }

        /** Changes by a function. */
        @Operation
        public String compute(@Param(name = "key") int key) {
            return map().compute(base() + key, (same, old) -> old == null ? value(1)
                : old.charAt(0) == '3' ? null : value(old.charAt(0) - '0' + 1));
        }
    }

    /** Operations on a range of keys of the shared map. */
    public static class Real extends Operations {
        private static final AtomicInteger BASES = new AtomicInteger();

        private final int base = BASES.getAndAdd(KEYS);

        @Override
        Map<Integer, String> map() {
            return MAP;
        }

        @Override
        int base() {
            return base;
        }
    }

    /** A put that first reads, then puts. */
    public static class Broken extends Real {
        @Override
        public String putIfAbsent(int key, int value) {
            String before = get(key);
            Thread.yield();
            return before != null ? before : put(key, value);
        }
    }

    /** The specification. */
    public static class Specification extends Operations {
        private final Map<Integer, String> map = new HashMap<>();

        @Override
        Map<Integer, String> map() {
            return map;
        }
    }

    @Test
    void operations_areLinearizable() {
        Stress.mustBeLinearizable(Real.class, Specification.class);
        MAP.audit();
    }

    @Test
    void brokenTwin_isCaught() {
        Stress.mustBeCaught(Broken.class, Specification.class);
    }
}
