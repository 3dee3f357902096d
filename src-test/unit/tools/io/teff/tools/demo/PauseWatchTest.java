package io.teff.tools.demo;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class PauseWatchTest {
    @Test
    void stop_afterACollection_hasSeenIt() {
        try (PauseWatch watch = PauseWatch.start()) {
            System.gc();
            DemoReport.Collector seen = watch.stop();
            assertTrue(seen.collections() >= 1, seen::toString);
            assertTrue(seen.pausesMilliseconds() >= seen.longestPauseMilliseconds(), seen::toString);
            assertTrue(seen.longestPauseMilliseconds() > 0, seen::toString);
            assertTrue(seen.heapPeakBytes() > 0 && seen.heapPeakBytes() <= seen.heapLimitBytes(), seen::toString);
        }
    }
}
