package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Seed;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The rate of copies is kept within a tenth, whatever the pauses of the thread that records. */
class CopyRateTest {
    private static final long RATE = 10_000_000;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @Test
    void rate_isKeptWithinATenth_withPausesOfAnyLength() {
        long seed = Seed.first();
        Random random = new Random(seed);
        for (int lateNsMax : new int[] {1, 100_000, 3_000_000}) {
            long nowNs = random.nextLong();
            long begunNs = nowNs;
            CopyRate rate = new CopyRate(RATE, nowNs);
            long bytes = 0;
            while (nowNs - begunNs < 20 * SECOND) {
                long part = 16_384L + random.nextInt(1_000);
                rate.took(part, nowNs);
                bytes += part;
                nowNs += rate.waitNs(nowNs) + random.nextInt(lateNsMax);
            }
            double perS = bytes / 20.0;
            assertTrue(Math.abs(perS - RATE) < RATE / 10.0, perS + " bytes a second; reproduce: -Dseed=" + seed);
        }
    }

    @Test
    void rest_savesUpATenthOfASecondAtMost() {
        CopyRate rate = new CopyRate(RATE, 0);
        long nowNs = 100 * SECOND;
        long bytes = 0;
        while (rate.waitNs(nowNs) == 0) {
            rate.took(1_000, nowNs);
            bytes += 1_000;
        }
        assertEquals(RATE / 10, bytes, 1_000);
    }
}
