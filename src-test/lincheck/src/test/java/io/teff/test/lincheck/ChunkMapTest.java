package io.teff.test.lincheck;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.config.StoreConfig;
import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Goal: operations on a map are linearizable. Method: Lincheck's stress mode on the real map, which all instances
 * share; each instance has keys of its own, so that the map grows meanwhile. (Lincheck's model checker does not observe
 * off-heap memory.)
 */
final class ChunkMapTest {
    private static final int SCENARIOS = Form.size(1, 2, 16);
    /** The search ends with the first failing scenario. */
    private static final int TWIN_SCENARIOS_MAX = 500;
    private static final int INVOCATIONS = 1_000;
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

    /** Adds a key of a map if it is absent; the only operation, so that a twin is caught by few scenarios. */
    @Param(name = "value", gen = IntGen.class, conf = "1:3")
    public abstract static class Additions {
        /** The map. */
        abstract Map<Integer, String> map();

        /** Returns the key. */
        int key() {
            return 0;
        }

        /** Puts if the key is absent. */
        @Operation
        public String putIfAbsent(@Param(name = "value") int value) {
            return map().putIfAbsent(key(), Operations.value(value));
        }
    }

    /** Additions to the shared map that first read, then put. */
    public static class Broken extends Additions {
        private final int key = Real.BASES.getAndAdd(KEYS);

        @Override
        Map<Integer, String> map() {
            return MAP;
        }

        @Override
        int key() {
            return key;
        }

        @Override
        public String putIfAbsent(int value) {
            String before = map().get(key);
            Thread.yield();
            return before != null ? before : map().put(key, Operations.value(value));
        }
    }

    /** The specification of additions. */
    public static class AdditionsSpecification extends Additions {
        private final Map<Integer, String> map = new HashMap<>();

        @Override
        Map<Integer, String> map() {
            return map;
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

    @FullTier("14 s. The broken twin of the map stays; FreeListTest is checked in the gate.")
    @Test
    void operations_areLinearizable() {
        options(SCENARIOS, Specification.class).actorsBefore(1).actorsAfter(1).check(Real.class);
        MAP.audit();
    }

    @Test
    void brokenTwin_isCaught() {
        assertThrows(LincheckAssertionError.class,
            () -> options(TWIN_SCENARIOS_MAX, AdditionsSpecification.class).actorsBefore(0).actorsAfter(0)
                .minimizeFailedScenario(false).check(Broken.class));
    }

    private static StressOptions options(int scenarios, Class<?> specification) {
        return new StressOptions().threads(2).actorsPerThread(3).iterations(scenarios)
            .invocationsPerIteration(INVOCATIONS).sequentialSpecification(specification);
    }
}
