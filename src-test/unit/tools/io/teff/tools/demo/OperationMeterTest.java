package io.teff.tools.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class OperationMeterTest {
    @Test
    void end_afterManyOperations_countsAllAndTimesOneOf64() {
        OperationMeter meter = meterOf(64 * 10 + 1);
        assertEquals(64 * 10 + 1, meter.count());
        assertEquals(11, meter.latencies().getTotalCount());
        assertTrue(meter.latencies().getMinValue() >= 1);
    }

    @Test
    void add_anotherMeter_sumsCountsAndSamples() {
        OperationMeter meter = meterOf(64);
        meter.add(meterOf(65));
        assertEquals(129, meter.count());
        assertEquals(3, meter.latencies().getTotalCount());
    }

    private static OperationMeter meterOf(int operations) {
        OperationMeter meter = new OperationMeter();
        for (int i = 0; i < operations; i++) {
            meter.end(meter.begin());
        }
        return meter;
    }
}
