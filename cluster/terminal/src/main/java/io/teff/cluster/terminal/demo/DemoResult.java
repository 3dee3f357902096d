package io.teff.cluster.terminal.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The result of a demo.
 *
 * @param classes number of classes
 * @param references number of references between the classes
 * @param chunks number of small chunks
 * @param killed name of the killed peer
 * @param timeline steps of the recovery
 * @param samples progress of the updates
 * @param updates number of acknowledged updates
 * @param longestNs the longest update
 * @param wrong number of chunks that differ from their last acknowledged version
 */
record DemoResult(int classes, long references, int chunks, String killed, Timeline timeline, List<Sample> samples,
                  long updates, long longestNs, int wrong) {
    /**
     * Updates until a moment.
     *
     * @param ns nanoseconds after the kill; negative before it
     * @param updates number of acknowledged updates until then
     */
    record Sample(long ns, long updates) {}

    /** Copies the list. */
    DemoResult {
        samples = List.copyOf(samples);
    }

    /** Returns whether all chunks are right, and all zones are served again. */
    boolean isGood() {
        return wrong == 0 && timeline.isServed();
    }

    /** Returns the result for a JSON document; steps that did not happen are null. */
    Map<String, @Nullable Object> json() {
        Map<String, @Nullable Object> steps = new LinkedHashMap<>();
        for (Timeline.Step step : timeline.steps()) {
            steps.put(step.name(), step.ns() < 0 ? null : TimeUnit.NANOSECONDS.toMillis(step.ns()));
        }
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("classes", classes);
        json.put("references", references);
        json.put("chunks", chunks);
        json.put("killed", killed);
        json.put("zones", timeline.zones());
        json.put("zonesServed", timeline.served());
        json.put("zonesHurt", timeline.hurt());
        json.put("zonesRefilled", timeline.refilled());
        json.put("millisecondsAfterTheKill", steps);
        json.put("updates", updates);
        json.put("longestUpdateMs", TimeUnit.NANOSECONDS.toMillis(longestNs));
        json.put("wrongChunks", wrong);
        json.put("good", isGood());
        return json;
    }
}
