package io.teff.cluster.net.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests of the numbers of starts. */
final class IdentityTest {
    private static final long TIME = 1_790_000_000_000L;

    /** Two processes of one millisecond with the same drawn NID must not be taken for the same process. */
    @Test
    void incarnations_ofTheSameMillisecond_differ() {
        final SplittableRandom random = new SplittableRandom(1);
        final Set<Long> all = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            all.add(Identity.incarnation(TIME, random));
        }
        assertEquals(100, all.size());
    }

    @Test
    void incarnations_areAboveThoseOfEarlierMilliseconds() {
        final SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < 1_000; i++) {
            assertTrue(Identity.incarnation(TIME + 1, random) > Identity.incarnation(TIME, random));
        }
        assertTrue(Identity.incarnation(4_100_000_000_000L, random) > 0, "in the year 2099");
    }
}
