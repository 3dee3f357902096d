package io.teff.test.bench.kill;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What the loss of the leading superpeer has cost, in milliseconds, as seen from outside.
 *
 * @param superpeer name of the killed superpeer
 * @param ledMs another one leads, after the kill
 * @param committedMs a command was committed, after the kill
 * @param gapMs the longest time in which no call of the load has ended
 * @param longestMs the longest call of the load
 * @param updates number of updates that were acknowledged between the kill and the command
 * @param wrong number of chunks that differed
 */
record LeaderTimes(String superpeer, double ledMs, double committedMs, double gapMs, double longestMs, long updates,
                   long wrong) {

    /** The columns with times, in their order. */
    static final Map<String, ToDoubleFunction<LeaderTimes>> STEPS = steps();

    private static Map<String, ToDoubleFunction<LeaderTimes>> steps() {
        Map<String, ToDoubleFunction<LeaderTimes>> steps = new LinkedHashMap<>();
        steps.put("next leader", LeaderTimes::ledMs);
        steps.put("metadata back", LeaderTimes::committedMs);
        steps.put("longest gap", LeaderTimes::gapMs);
        steps.put("longest call", LeaderTimes::longestMs);
        return steps;
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("superpeer", superpeer);
        STEPS.forEach((name, step) -> fields.put(name + " ms", step.applyAsDouble(this)));
        fields.put("updates", updates);
        fields.put("wrong", wrong);
        return fields;
    }
}
