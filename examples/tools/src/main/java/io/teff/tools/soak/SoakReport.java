package io.teff.tools.soak;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The results of a run as a tree of values; component names are the names in the JSON document, with the unit last.
 *
 * @param ok whether nothing failed
 * @param failure message of the failure, or null
 * @param reproduce the command that repeats the run
 * @param machine the machine
 * @param plan parameters of the run
 * @param work counts of the work done
 * @param latencies latencies at a fixed rate, over all cycles
 * @param criteria verdicts in the order of the text report; empty if the run ended early
 * @param samples figures of the cycles; a long run keeps an even selection
 * @param seconds duration of the run
 */
public record SoakReport(boolean ok, @Nullable String failure, String reproduce, Machine machine, SoakPlan plan,
                         Work work, List<Latency> latencies, List<Judged> criteria, List<Sample> samples,
                         double seconds) {
    /**
     * The machine of the run.
     *
     * @param javaVersion version of the JVM
     * @param cores number of processors available to the JVM
     * @param memoryMode source of the stores' memory: reserved address space, or arena blocks
     */
    public record Machine(String javaVersion, int cores, String memoryMode) {}

    /**
     * Counts of the work done, with right results only if the run is ok.
     *
     * @param cycles completed cycles
     * @param steps steps of the workers in load phases
     * @param verifiedChunks chunks compared byte by byte
     * @param accounts comparisons of the store's counts with those of the workers
     * @param snapshots snapshots written, restored and compared
     * @param defragmentations defragmentation passes
     * @param movedChunks chunks moved by them
     * @param audits audits of the store
     * @param sideStores side stores opened and closed
     */
    public record Work(long cycles, long steps, long verifiedChunks, long accounts, long snapshots,
                       long defragmentations, long movedChunks, long audits, long sideStores) {}

    /**
     * Latencies of one kind of operation, in nanoseconds.
     *
     * @param name the operation
     * @param count number of operations
     * @param p50Ns the median
     * @param p99Ns the 99th percentile
     * @param p999Ns the 99.9th percentile
     * @param maxNs the longest
     */
    public record Latency(String name, long count, long p50Ns, long p99Ns, long p999Ns, long maxNs) {}

    /**
     * The verdict on one figure.
     *
     * @param name the figure
     * @param state PASSED, FAILED or NOT_JUDGED
     * @param first median of the first third after the warm-up, or null if the figure was not judged
     * @param last median of the last third, or null
     * @param allowed growth that is tolerated, or null
     * @param noise growth that chance explains, or null
     * @param perCycle growth per sampled cycle, or null
     * @param text the verdict as text
     */
    public record Judged(String name, String state, @Nullable Double first, @Nullable Double last,
                         @Nullable Double allowed, @Nullable Double noise, @Nullable Double perCycle, String text) {}
}
