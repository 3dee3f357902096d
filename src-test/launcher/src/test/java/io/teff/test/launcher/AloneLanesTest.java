package io.teff.test.launcher;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A short soak run is repeated if it objects to resident memory alone, and for nothing else. */
final class AloneLanesTest {
    private static final String MEMORY = "  resident memory      FAILED     472.8 MiB to 501.0 MiB, 2.2 MiB per cycle";
    private static final String HEAP = "  Java heap            FAILED     13.7 MiB to 93.8 MiB, 2.0 MiB per cycle";
    private static final String END = "soak: FAILED after 61.2 s";

    @Test
    void failsByMemoryAlone_ofResidentMemory_holds() {
        String threads = "  threads              PASSED     12.0 to 12.0";
        assertTrue(AloneLanes.failsByMemoryAlone(List.of(threads, MEMORY, END)));
    }

    @Test
    void failsByMemoryAlone_ofAnythingElse_doesNotHold() {
        assertFalse(AloneLanes.failsByMemoryAlone(List.of(MEMORY, HEAP, END)));
        assertFalse(AloneLanes.failsByMemoryAlone(List.of("  contents and counts  FAILED     chunk 7 is lost", END)));
        assertFalse(AloneLanes.failsByMemoryAlone(List.of(END)));
    }
}
