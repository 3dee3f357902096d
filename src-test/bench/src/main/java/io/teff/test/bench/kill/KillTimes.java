package io.teff.test.bench.kill;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The steps of one recovery, each in milliseconds after the kill, as seen from outside.
 *
 * @param peer name of the killed peer
 * @param chunks number of chunks that it had
 * @param zones number of its zones
 * @param detectedMs the tables show it as dead
 * @param fencedMs each of its zones has a new owner
 * @param firstMs the first of its zones is served
 * @param lastMs all of its zones are served
 * @param readMs a client has read a chunk of each of its zones
 * @param verifiedMs a client has read and compared all of its chunks
 * @param updates number of updates that were acknowledged between the kill and the last zone
 * @param longestMs the longest call of the load
 * @param wrong number of chunks that differed
 */
record KillTimes(String peer, long chunks, int zones, double detectedMs, double fencedMs, double firstMs, double lastMs,
                 double readMs, double verifiedMs, long updates, double longestMs, long wrong) {

    /** The columns with times, in their order. */
    static final Map<String, ToDoubleFunction<KillTimes>> STEPS = steps();

    private static Map<String, ToDoubleFunction<KillTimes>> steps() {
        Map<String, ToDoubleFunction<KillTimes>> steps = new LinkedHashMap<>();
        steps.put("detected", KillTimes::detectedMs);
        steps.put("fenced", KillTimes::fencedMs);
        steps.put("first zone", KillTimes::firstMs);
        steps.put("last zone", KillTimes::lastMs);
        steps.put("all read", KillTimes::readMs);
        steps.put("verified", KillTimes::verifiedMs);
        steps.put("longest call", KillTimes::longestMs);
        return steps;
    }

    /** Returns the median of a step. */
    static <T> double median(List<T> all, ToDoubleFunction<T> step) {
        double[] sorted = all.stream().mapToDouble(step).sorted().toArray();
        int half = sorted.length / 2;
        return sorted.length == 0 ? Double.NaN : sorted.length % 2 == 1 ? sorted[half]
            : (sorted[half - 1] + sorted[half]) / 2;
    }

    /** Returns the worst of a step. */
    static <T> double worst(List<T> all, ToDoubleFunction<T> step) {
        return all.stream().mapToDouble(step).max().orElse(Double.NaN);
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("peer", peer);
        fields.put("chunks", chunks);
        fields.put("zones", zones);
        STEPS.forEach((name, step) -> fields.put(name + " ms", step.applyAsDouble(this)));
        fields.put("updates", updates);
        fields.put("wrong", wrong);
        return fields;
    }
}
