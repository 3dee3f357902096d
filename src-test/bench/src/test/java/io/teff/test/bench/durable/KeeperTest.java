package io.teff.test.bench.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.tier.FullTier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every store keeps its entries and has them when it is opened again. Stores that open the JDK's modules have JVMs of
 * their own, and are in {@code BenchCommandTest}.
 */
@FullTier("Each durable store is filled and opened again, one of the tests with runs, which take most of the "
    + "379 s of this lane. DurableFiguresTest has the figures.")
final class KeeperTest {
    private static final int ENTRIES = 2 * Filling.GROUP;

    @TempDir
    private Path folder;

    static Stream<Arguments> kinds() {
        List<DurableKind> kinds = Arrays.stream(DurableKind.values())
            .filter(kind -> kind.flags().stream().noneMatch(flag -> flag.startsWith("--add-"))).toList();
        assertEquals(DurableKind.values().length - 2, kinds.size(), kinds::toString);
        return kinds.stream().flatMap(kind -> Arrays.stream(Keeping.values()).filter(kind::keeps)
            .map(keeping -> Arguments.of(kind, keeping)));
    }

    static DurablePlan plan(DurableKind kind, DurableShape shape, DurableStep step, Path folder) {
        return new DurablePlan(kind, shape, step, folder, 2000, 3, 60, System.currentTimeMillis());
    }

    private Keeper open(DurableKind kind, Keeping keeping) {
        return kind.open(folder, keeping, plan(kind, DurableShape.LOGGED, DurableStep.MEASURE, folder));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void open_again_hasEverythingThatWasPut(DurableKind kind, Keeping keeping) {
        long first;
        byte[] value = new byte[Values.BYTES];
        try (Keeper keeper = open(kind, keeping)) {
            first = Filling.all(keeper, ENTRIES);
            Values.write(value, 0, Values.BYTES, ENTRIES, 5);
            assertEquals(first + ENTRIES, keeper.create(ENTRIES, value));
            Values.write(value, 0, Values.BYTES, 3, 7);
            keeper.put(first + 3, value);
            long[] names = {first + 5, first + 100};
            byte[] values = new byte[names.length * Values.BYTES];
            Values.write(values, 0, Values.BYTES, 5, 9);
            Values.write(values, Values.BYTES, Values.BYTES, 100, 9);
            keeper.putAll(names, values);
            keeper.sync();
            checkAll(keeper, first);
        }
        try (Keeper keeper = open(kind, keeping)) {
            checkAll(keeper, first);
        }
    }

    private static void checkAll(Keeper keeper, long first) {
        byte[] value = new byte[Values.BYTES];
        byte[] expected = new byte[Values.BYTES];
        for (int key = 0; key <= ENTRIES; key++) {
            assertTrue(keeper.get(first + key, value), "key=" + key);
            int version = key == ENTRIES ? 5 : key == 3 ? 7 : key == 5 || key == 100 ? 9 : 0;
            Values.write(expected, 0, Values.BYTES, key, version);
            assertTrue(Arrays.equals(expected, value), "key=" + key);
        }
        assertFalse(keeper.get(first + ENTRIES + 1, value));
    }

    @Test
    void open_wayThatAStoreHasNot_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> open(DurableKind.CHRONICLE, Keeping.SYNCED));
        assertThrows(IllegalArgumentException.class, () -> open(DurableKind.MAPDB, Keeping.LOGGED));
        assertFalse(DurableShape.SYNCED.isFor(DurableKind.CHRONICLE));
        assertFalse(DurableShape.LOGGED.isFor(DurableKind.MAPDB));
        assertFalse(DurableShape.ZONES.isFor(DurableKind.ROCKSDB));
    }
}
