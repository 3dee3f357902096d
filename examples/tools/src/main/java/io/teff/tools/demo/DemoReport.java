package io.teff.tools.demo;

import io.teff.examples.graph.ClassGraph;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the demo found out, as a tree of values. {@link TextReport} and a JSON document only write it down;
 * names of components are the names in the JSON document, with the unit last.
 *
 * @param ok whether every check passed
 * @param failure what the first failed check said, or null
 * @param machine where it ran
 * @param graph the class graph, or null if it was left out
 * @param load the load, or null if it was left out or failed
 * @param durable what was killed and came back, or null if that was not asked for or failed
 * @param collector what the garbage collector did meanwhile
 * @param seconds time of the whole demo
 */
public record DemoReport(boolean ok, @Nullable String failure, Machine machine, @Nullable Graph graph,
                         @Nullable Load load, @Nullable Durable durable, Collector collector, double seconds) {
    /**
     * Where the demo ran.
     *
     * @param javaVersion version of the JVM
     * @param cores processors that the JVM may use
     * @param memoryMode where stores take their memory from: reserved address space, or arena blocks
     */
    public record Machine(String javaVersion, int cores, String memoryMode) {}

    /**
     * What the class graph was and what it answered.
     *
     * @param classes number of vertexes
     * @param references number of edges
     * @param unknownReferences references to classes that are not in the image
     * @param threads number of threads that read
     * @param readSeconds time from the first directory to the last edge
     * @param chunks number of chunks, two per class
     * @param payloadBytes sum of their lengths
     * @param usedBytes memory that the store handed out for them, table and all
     * @param referrers who refers to one class
     * @param path how one class leads to another
     * @param mostReferenced the classes with the most referrers
     */
    public record Graph(int classes, long references, long unknownReferences, int threads, double readSeconds,
                        long chunks, long payloadBytes, long usedBytes, Referrers referrers, Path path,
                        List<ClassGraph.Ranked> mostReferenced) {}

    /**
     * Who refers to a class.
     *
     * @param name the class
     * @param count number of classes that refer to it
     * @param first the first of them, in the order of names
     */
    public record Referrers(String name, long count, List<String> first) {}

    /**
     * How one class leads to another.
     *
     * @param from where the search began
     * @param to what it looked for
     * @param steps number of references on the way, -1 if there is no way
     * @param classes the classes on the way, both ends included
     * @param visited number of classes that the search met
     * @param milliseconds time of the search
     */
    public record Path(String from, String to, int steps, List<String> classes, int visited, double milliseconds) {}

    /**
     * What the load did and what it cost.
     *
     * @param plan what it was told to do
     * @param seconds time of the mix of operations
     * @param operations number of operations in that time
     * @param millionPerSecond all of them by the time
     * @param perOperation the kinds of operations
     * @param sampleEvery one of so many operations of a kind was timed
     * @param clockNs what a timed operation costs more, for reading the clock; contained in the latencies
     * @param sweep the second look at every chunk
     * @param auditSeconds time in which the store recomputed all of its invariants, or null if it was not asked to
     * @param footprint where the memory is
     */
    public record Load(LoadPlan plan, double seconds, long operations, double millionPerSecond,
                       List<Operation> perOperation, int sampleEvery, long clockNs, Sweep sweep,
                       @Nullable Double auditSeconds, Footprint footprint) {}

    /**
     * One kind of operation. Rates count what was done within the mix by the time of the whole mix.
     *
     * @param name its name
     * @param count how many
     * @param millionPerSecond how many by the time
     * @param samples how many were timed
     * @param p50Ns latency that half of the samples stay below
     * @param p90Ns the same, of 90 %
     * @param p99Ns the same, of 99 %
     * @param p999Ns the same, of 99.9 %
     * @param maxNs the longest sample
     */
    public record Operation(String name, long count, double millionPerSecond, long samples, long p50Ns, long p90Ns,
                            long p99Ns, long p999Ns, long maxNs) {}

    /**
     * The second look at every chunk after the load: batches in order of creation, each chunk verified.
     *
     * @param chunks number of chunks
     * @param seconds time
     * @param millionPerSecond chunks by time
     */
    public record Sweep(long chunks, double seconds, double millionPerSecond) {}

    /**
     * Where the memory of the load's store is. What is used is the sum of payload, slot waste, free slots and table;
     * free units are committed beyond it.
     *
     * @param chunks number of chunks
     * @param payloadBytes sum of their lengths
     * @param slotWasteBytes what slots have more than their chunks
     * @param freeSlotBytes slots without a chunk, and headers of pages
     * @param tableBytes the table from CID to address
     * @param freeUnitBytes committed memory that nothing uses
     * @param usedBytes memory that is handed out
     * @param committedBytes memory of the machine that the store holds
     * @param limitBytes what the store may use
     * @param residentBytes resident memory of the process, JVM included; -1 if the system does not tell
     */
    public record Footprint(long chunks, long payloadBytes, long slotWasteBytes, long freeSlotBytes, long tableBytes,
                            long freeUnitBytes, long usedBytes, long committedBytes, long limitBytes,
                            long residentBytes) {
        /** Some of the bytes, by chunk. */
        double perChunk(long bytes) {
            return (double) bytes / Math.max(chunks, 1);
        }
    }

    /**
     * What a process stored that was killed, and what came back.
     *
     * @param folder where the store is
     * @param classes number of vertexes, each compared after each kill
     * @param references number of edges, each compared after each kill
     * @param storeSeconds time to start the process, and to read and store all of them
     * @param kills how often the process was killed
     * @param threads number of its threads
     * @param acknowledgedUpdates updates whose call had returned
     * @param updatesPerSecond those by their time
     * @param keptUpdates updates that came back
     * @param underWayUpdates of those, the ones that were not acknowledged yet, at most one per thread and kill
     * @param openSeconds the longest time in which the store was opened
     * @param restoredEntries the most entries of the log that were read for it
     */
    public record Durable(String folder, int classes, long references, double storeSeconds, int kills, int threads,
                          long acknowledgedUpdates, double updatesPerSecond, long keptUpdates, long underWayUpdates,
                          double openSeconds, long restoredEntries) {}

    /**
     * What the garbage collector did during the demo.
     *
     * @param collections number of collections
     * @param pausesMilliseconds sum of their pauses
     * @param longestPauseMilliseconds the longest pause
     * @param heapPeakBytes the most of the Java heap in use
     * @param heapLimitBytes the most it may use
     */
    public record Collector(long collections, double pausesMilliseconds, double longestPauseMilliseconds,
                            long heapPeakBytes, long heapLimitBytes) {}
}
