package io.teff.test.bench.kill;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What the loss of the leading superpeer has cost, in milliseconds, as seen from outside.
 *
 * @param node name of the killed superpeer
 * @param ledMs another one leads, after the kill
 * @param committedMs a command was committed, after the kill
 * @param gapMs the longest time in which no call of the load has ended
 * @param longestMs the longest call of the load
 * @param updates number of updates that were acknowledged between the kill and the command
 * @param wrong number of chunks that differed
 */
record LeaderTimes(String node, double ledMs, double committedMs, double gapMs, double longestMs, long updates,
                   long wrong) implements Steps {

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

    @Override
    public Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        STEPS.forEach((name, step) -> figures.put(name + " ms", step.applyAsDouble(this)));
        return figures;
    }
}
