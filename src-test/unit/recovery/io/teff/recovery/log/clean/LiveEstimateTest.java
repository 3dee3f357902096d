package io.teff.recovery.log.clean;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.recovery.format.EntryKind;
import org.junit.jupiter.api.Test;

/**
 * Goal: the live counts of a zone's segments are correct after each scan, whatever was known before and arrives
 * meanwhile.
 */
final class LiveEstimateTest {
    private static final int SEGMENT = 1000;
    private static final ZoneVisitor.Live LITTLE = new ZoneVisitor.Live(1, 1);

    @Test
    void newZone_isKnownFromItsBegin() {
        LiveEstimate fill = new LiveEstimate(SEGMENT, true);
        for (int i = 0; i < 8; i++) {
            fill.added(EntryKind.PUT, i % 2, 900);
        }
        fill.sealed(900);
        assertEquals(1800, fill.liveBytes());
        assertFalse(fill.found(LITTLE, 1, fill.before()), "it was known");
        assertEquals(900, fill.totalBytes());
        assertFalse(fill.isBelow(60), "too small");
        fill.sealed(100);                                       // counts as half of a full one
        fill.sealed(1000);
        fill.sealed(1000);
        assertEquals(3400, fill.totalBytes());
        assertTrue(fill.isBelow(60));
    }

    @Test
    void foundZone_countsWhatWasThereAndWhatCameSince() {
        LiveEstimate fill = new LiveEstimate(SEGMENT, false);
        fill.added(EntryKind.PUT, 1, 900);
        fill.sealed(900);
        LiveEstimate.Before before = fill.before();
        fill.sealed(800);
        assertTrue(fill.found(new ZoneVisitor.Live(4000, 7), 9000, before));
        assertEquals(9800, fill.totalBytes());
        assertEquals(4800, fill.liveBytes());
        assertFalse(fill.found(LITTLE, 1, before));
        assertEquals(9800, fill.totalBytes());
        fill.added(EntryKind.PUT, 7, 100);
        assertEquals(4800, fill.liveBytes(), "it replaces one");
        fill.added(EntryKind.PUT, 8, 100);
        assertEquals(4900, fill.liveBytes(), "it is a new one");
    }

    @Test
    void foundZone_isExactUntilSomethingIsAdded() {
        LiveEstimate fill = new LiveEstimate(SEGMENT, false);
        assertFalse(fill.isExact(), "nothing is known");
        fill.added(EntryKind.PUT, 1, 900);
        assertTrue(fill.found(LITTLE, 1, fill.before()) && fill.isExact());
        fill.added(EntryKind.PUT, 0, 900);
        assertFalse(fill.isExact());
        LiveEstimate late = new LiveEstimate(SEGMENT, false);
        LiveEstimate.Before before = late.before();
        late.added(EntryKind.PUT, 1, 900);
        assertTrue(late.found(LITTLE, 1, before));
        assertFalse(late.isExact(), "an entry was added while it was read");
    }

    /** Segments of former processes are counted by the cleaning, though they were not registered before. */
    @Test
    void countedZone_countsWhatIsLeftAndWhatCameSince() {
        LiveEstimate fill = new LiveEstimate(SEGMENT, false);
        fill.sealed(900);
        long before = fill.sealedBytes();
        fill.sealed(700);
        fill.counted(2000, 9000, 6500, before);
        assertEquals(9000 + 700 - 6500, fill.totalBytes());
        assertEquals(2000 + 700, fill.liveBytes());
        assertFalse(fill.isBelow(90), "it was just tried");
        fill.sealed(1000);
        assertTrue(fill.isBelow(90));
        assertFalse(fill.found(LITTLE, 1, fill.before()));
        assertFalse(fill.isExact());
    }
}
