package io.teff.test.bench.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.bench.store.Named;
import io.teff.test.bench.store.StoreKind;
import io.teff.test.kit.tier.FullTier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The names of the structures, and that each of them gives every figure of its table and no wrong answer. */
@FullTier("Each structure is measured once, one of the tests with runs, which take most of the 379 s of this "
    + "lane. TrialTest shows that a structure with a wrong answer has no figures.")
final class CollectionKindTest {
    private static final long MEMORY_BYTES = 640L << 20;

    /** Those that open the JDK's modules have JVMs of their own, and are in {@code BenchCommandTest}. */
    static Stream<CollectionKind> kinds() {
        List<CollectionKind> kinds = Arrays.stream(CollectionKind.values())
            .filter(kind -> kind.flags().stream().noneMatch(flag -> flag.startsWith("--add-"))).toList();
        assertEquals(CollectionKind.values().length - 1, kinds.size(), kinds::toString);
        return kinds.stream();
    }

    static CollectionPlan plan(CollectionKind kind) {
        return new CollectionPlan(kind, 2000, MEMORY_BYTES, 1, 3, 1_000_000);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void trial_fewEntries_hasEveryFigureOfItsTable(CollectionKind kind) {
        Map<String, Object> figures = kind.trial(plan(kind)).run();
        Set<String> shown = kind.family().columns().stream().map(Family::figure).collect(Collectors.toSet());
        if (kind.family() == Family.GROWTH) {
            assertTrue(figures.keySet().containsAll(shown), figures::toString);
        } else {
            assertEquals(shown, figures.keySet());
        }
        figures.forEach((name, value) -> {
            double number = (Double) value;
            // Few entries are lost in the noise of the process, and need no collection.
            assertTrue(name.equals("bytes") ? Double.isFinite(number) : name.matches("gc .*|allocated .*") ? number >= 0
                : number > 0, () -> name + " is " + value);
        });
    }

    @Test
    void columns_allFamilies_areDifferentFigures() {
        for (Family family : Family.values()) {
            List<String> figures = family.columns().stream().map(Family::figure).toList();
            assertEquals(figures.size(), new HashSet<>(figures).size(), family::title);
        }
    }

    @Test
    void id_allKinds_areTheNamesOfTheCommandLine() {
        assertEquals(List.of("map-teff-long", "map-teff", "map-chm", "map-chronicle", "sorted-teff", "sorted-mapdb",
            "sorted-skiplist", "set-teff", "set-chm", "list-teff", "list-array", "queue-teff", "queue-linked",
            "growth-teff", "growth-teff-still", "growth-chm"), Named.ids(CollectionKind.values()));
    }

    @Test
    void heapBytes_allKinds_areTheSameMemoryInAll() {
        CollectionPlan outside = plan(CollectionKind.MAP_TEFF_LONG);
        assertEquals(List.of(512L << 20, 128L << 20), List.of(outside.heapBytes(), outside.storeBytes()));
        assertEquals(MEMORY_BYTES, plan(CollectionKind.SORTED_SKIPLIST).heapBytes());
        assertEquals(StoreKind.CHRONICLE.flags(), CollectionKind.MAP_CHRONICLE.flags());
    }
}
