package io.teff.tools.soak;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a run found out, as a tree of values; names of components are the names in the JSON document, with
 * the unit last.
 *
 * @param ok whether nothing failed
 * @param failure what failed, or null
 * @param reproduce the command that does the same again
 * @param machine where it ran
 * @param plan what was to be done
 * @param work what was done
 * @param latencies at a fixed rate, over all cycles
 * @param criteria what was judged, in the order of the text report; empty if the run broke off
 * @param samples the figures of the cycles, thinned out evenly in a long run
 * @param seconds time of the run
 */
public record SoakReport(boolean ok, @Nullable String failure, String reproduce, Machine machine, SoakPlan plan,
                         Work work, List<Latency> latencies, List<Judged> criteria, List<Sample> samples,
                         double seconds) {
    /**
     * Where it ran.
     *
     * @param javaVersion version of the JVM
     * @param cores processors that the JVM may use
     * @param memoryMode where stores take their memory from
     */
    public record Machine(String javaVersion, int cores, String memoryMode) {}

    /**
     * What was done, all of it with the right answers if the run is ok.
     *
     * @param cycles cycles completed
     * @param steps steps of the workers under load
     * @param verifiedChunks chunks compared byte by byte
     * @param accounts quiet points at which the store's account was compared with the workers'
     * @param snapshots snapshots written, restored and compared
     * @param defragmentations passes on demand
     * @param movedChunks chunks that they moved
     * @param audits audits
     * @param sideStores other stores opened and closed
     */
    public record Work(long cycles, long steps, long verifiedChunks, long accounts, long snapshots,
                       long defragmentations, long movedChunks, long audits, long sideStores) {}

    /**
     * Times of one kind of operation, in nanoseconds.
     *
     * @param name the operation
     * @param count how many
     * @param p50Ns the median
     * @param p99Ns the 99th percentile
     * @param p999Ns the 99.9th percentile
     * @param maxNs the longest
     */
    public record Latency(String name, long count, long p50Ns, long p99Ns, long p999Ns, long maxNs) {}

    /**
     * How one figure was judged.
     *
     * @param name the figure
     * @param state PASSED, FAILED or NOT_JUDGED
     * @param first median of the first third after the warm-up, or null if it was not judged
     * @param last median of the last third, or null
     * @param allowed most growth that is no drift, or null
     * @param noise growth that chance explains, or null
     * @param perCycle growth per sampled cycle, or null
     * @param text the same for people
     */
    public record Judged(String name, String state, @Nullable Double first, @Nullable Double last,
                         @Nullable Double allowed, @Nullable Double noise, @Nullable Double perCycle, String text) {}
}
