package io.teff.test.bench.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The names of the stores, on which command lines and committed results depend. */
final class StoreKindTest {
    @Test
    void id_allKinds_areTheNamesOfTheCommandLine() {
        assertEquals(List.of("teff", "teff-plain", "teff-map", "chm", "fastutil", "eclipse", "caffeine", "chronicle",
            "ohc-linked", "ohc-chunked", "mapdb", "ehcache", "infinispan", "gather"),
            Arrays.stream(StoreKind.values()).map(StoreKind::id).toList());
    }

    @Test
    void title_allKinds_areDifferent() {
        StoreKind[] kinds = StoreKind.values();
        assertEquals(kinds.length, Arrays.stream(kinds).map(StoreKind::title).distinct().count());
    }

    @Test
    void flags_teffPlain_areNone() {
        assertEquals(List.of(), StoreKind.TEFF_PLAIN.flags());
        assertEquals(List.of("--enable-native-access=ALL-UNNAMED"), StoreKind.TEFF.flags());
    }

    @Test
    void threadsMax_allKinds_areOneOrTwo() {
        for (StoreKind kind : StoreKind.values()) {
            assertTrue(kind.threadsMax() == 1 || kind.threadsMax() == 2, kind.id());
        }
    }
}
