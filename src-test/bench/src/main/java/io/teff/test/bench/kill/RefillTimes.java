package io.teff.test.bench.kill;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What reads have cost while zones that had lost a backup got another one.
 *
 * @param node name of the killed peer
 * @param refilledMs all zones have as many backups as before, after the kill
 * @param restP99 99 % of the reads before the kill took less, in microseconds
 * @param refillP99 99 % of the reads while backups were made took less, in microseconds
 * @param ratio the latter by the former
 * @param updates number of updates that were acknowledged while backups were made
 * @param wrong number of chunks that differed
 */
record RefillTimes(String node, double refilledMs, double restP99, double refillP99, double ratio, long updates,
                   long wrong) implements Steps {

    /** The columns, in their order. */
    static final Map<String, ToDoubleFunction<RefillTimes>> STEPS = steps();

    private static Map<String, ToDoubleFunction<RefillTimes>> steps() {
        Map<String, ToDoubleFunction<RefillTimes>> steps = new LinkedHashMap<>();
        steps.put("refilled ms", RefillTimes::refilledMs);
        steps.put("p99 at rest us", RefillTimes::restP99);
        steps.put("p99 then us", RefillTimes::refillP99);
        steps.put("ratio", RefillTimes::ratio);
        return steps;
    }

    @Override
    public Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        STEPS.forEach((name, step) -> figures.put(name, step.applyAsDouble(this)));
        return figures;
    }
}
