package io.teff.cluster.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each limit of a registry is reached, and the next step is refused with its number and changes nothing. */
class RegistryLimitsTest {
    private static final int LEASE_MS = 5_000;

    private final Registry registry = new Registry(RegistryState.EMPTY);
    private long sequence;

    @AfterEach
    void audit() {
        registry.audit();
    }

    private RegistryResult open(long key) {
        return registry.apply(new RegistryStep(StepCode.OPEN, 0, 0, key, LEASE_MS, 0, "", RegistryStep.NONE));
    }

    private RegistryResult put(long session, String name, int bytes, boolean isBound, long ttlMs) {
        return registry.apply(new RegistryStep(StepCode.PUT, session, ++sequence << 6, StepCode.ANY, isBound ? 1 : 0,
            ttlMs, name, new byte[bytes]));
    }

    private RegistryResult enter(long session, String name, int permits) {
        return registry.apply(new RegistryStep(StepCode.ENTER, session, ++sequence << 6, permits, 1, 0, name,
            RegistryStep.NONE));
    }

    private void assertFull(int limit, RegistryResult result) {
        long before = registry.revision();
        assertEquals(RegistryResult.full(limit), result);
        assertEquals(before, registry.revision());
        assertFalse(RegistryResult.LIMITS[limit].isEmpty());
    }

    @Test
    void sessions() {
        for (int i = 0; i < RegistryLimits.SESSIONS_MAX; i++) {
            assertEquals(RegistryResult.DONE, open(i).code());
        }
        assertFull(RegistryResult.LIMIT_SESSIONS, open(-1));
        assertEquals(RegistryResult.DONE, open(7).code(), "it is open");
        assertEquals(RegistryResult.MALFORMED, registry.apply(new RegistryStep(StepCode.OPEN, 0, 0, -1, 1_999, 0, "",
            RegistryStep.NONE)).code());
    }

    @Test
    void namesAndBoundNames() {
        long session = open(1).first();
        for (int i = 0; i < RegistryLimits.NAMES_MAX; i++) {
            assertEquals(RegistryResult.DONE, put(session, "n" + i, 0, i < RegistryLimits.BOUND_MAX, 0).code());
        }
        assertFull(RegistryResult.LIMIT_NAMES, put(session, "more", 0, false, 0));
        assertFull(RegistryResult.LIMIT_BOUND, put(session, "n" + RegistryLimits.BOUND_MAX, 0, true, 0));
        assertEquals(RegistryResult.DONE, put(session, "n0", 5, true, 0).code(), "in place of itself");
        assertEquals(RegistryResult.DONE, put(open(2).first(), "n0", 5, true, 0).code(), "another client has room");
        assertEquals(RegistryResult.DONE, put(session, "n" + RegistryLimits.BOUND_MAX, 0, true, 0).code());
    }

    @Test
    void bytesAndTemporaryBytes() {
        long session = open(1).first();
        int count = 0;
        while (put(session, "t" + count, RegistryLimits.VALUE_BYTES_MAX, false, 1_000).code() == RegistryResult.DONE) {
            count++;
        }
        assertEquals(RegistryLimits.TEMPORARY_BYTES_MAX / (RegistryLimits.VALUE_BYTES_MAX + RegistryLimits.ROW_BYTES
            + 3), count);
        assertFull(RegistryResult.LIMIT_TEMPORARY, put(session, "t" + count, RegistryLimits.VALUE_BYTES_MAX, false,
            1_000));
        assertEquals(RegistryResult.DONE, put(session, "t0", RegistryLimits.VALUE_BYTES_MAX, false, 0).code());
        assertEquals(RegistryResult.DONE, put(session, "t" + count, RegistryLimits.VALUE_BYTES_MAX, false,
            1_000).code(), "one lives for ever now");
        while (put(session, "n" + count, RegistryLimits.VALUE_BYTES_MAX, false, 0).code() == RegistryResult.DONE) {
            count++;
        }
        assertFull(RegistryResult.LIMIT_BYTES, put(session, "n", RegistryLimits.VALUE_BYTES_MAX, false, 0));
        assertTrue(count > 200, "" + count);
        while (put(session, "s" + count, 0, false, 0).code() == RegistryResult.DONE) {
            count++;
        }
        assertFull(RegistryResult.LIMIT_BYTES, enter(session, "queue", 1));
    }

    @Test
    void placesOfAQueueOfASessionAndOfACluster() {
        int sessions = RegistryLimits.PLACES_MAX / RegistryLimits.HELD_MAX;
        for (int i = 0; i < sessions; i++) {
            long session = open(i).first();
            for (int j = 0; j < RegistryLimits.HELD_MAX; j++) {
                assertEquals(RegistryResult.DONE, enter(session, i == 0 ? "queue" : "q" + i + '/' + j, 5).code());
            }
            if (i == 0) {
                assertFull(RegistryResult.LIMIT_HELD, enter(session, "more", 5));
                assertFull(RegistryResult.LIMIT_QUEUE, enter(open(-1).first(), "queue", 5));
            }
        }
        assertFull(RegistryResult.LIMIT_PLACES, enter(open(-1).first(), "more", 5));
        assertEquals(RegistryResult.MALFORMED, enter(open(-1).first(), "more", 0).code());
        assertEquals(RegistryResult.MALFORMED, enter(open(-1).first(), "more", RegistryLimits.PERMITS_MAX + 1).code());
    }

    @Test
    void names_haveBytesOfUtf8() {
        assertTrue(RegistryLimits.isName("a"));
        assertTrue(RegistryLimits.isName("\u00e4".repeat(512)));
        assertFalse(RegistryLimits.isName("\u00e4".repeat(513)));
        assertTrue(RegistryLimits.isName("\ud83d\ude00".repeat(256)));
        assertFalse(RegistryLimits.isName("\ud83d\ude00".repeat(257)));
        assertFalse(RegistryLimits.isName(""));
        assertFalse(RegistryLimits.isName("a\ud83d"));
        assertFalse(RegistryLimits.isName("\ude00a"));
    }
}
