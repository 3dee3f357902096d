package io.teff.test.bench.kill;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What a kill of a peer has cost clients that call as fast as they can, and a client that reads everything beside them.
 *
 * @param node name of the killed peer
 * @param before calls per second before the kill
 * @param after calls per second in the 10 s after the kill
 * @param halfMs the first half second with at least half of the earlier rate has ended, after the kill
 * @param longestMs the longest call
 * @param scanMs a scan of everything before the kill, the median
 * @param longestScanMs the longest scan that ended after the kill
 * @param curve calls per second of each half second from the kill on
 * @param updates number of updates that were acknowledged after the kill
 * @param wrong number of chunks that differed
 */
record RateTimes(String node, double before, double after, double halfMs, double longestMs, double scanMs,
                 double longestScanMs, List<Long> curve, long updates, long wrong) implements Steps {

    /** The columns, in their order. */
    static final Map<String, ToDoubleFunction<RateTimes>> STEPS = steps();

    private static Map<String, ToDoubleFunction<RateTimes>> steps() {
        Map<String, ToDoubleFunction<RateTimes>> steps = new LinkedHashMap<>();
        steps.put("calls/s before", RateTimes::before);
        steps.put("calls/s 10 s", RateTimes::after);
        steps.put("half rate ms", RateTimes::halfMs);
        steps.put("longest call ms", RateTimes::longestMs);
        steps.put("scan before ms", RateTimes::scanMs);
        steps.put("longest scan ms", RateTimes::longestScanMs);
        return steps;
    }

    /** Returns the longest scan after the kill by a scan before. */
    double scanRatio() {
        return longestScanMs / scanMs;
    }

    @Override
    public Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        STEPS.forEach((name, step) -> figures.put(name, step.applyAsDouble(this)));
        figures.put("curve", curve);
        return figures;
    }
}
