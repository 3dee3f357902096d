package io.teff.tools.demo;

import io.teff.examples.graph.ClassGraph;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The results of the demo as a tree of values. {@link TextReport} formats it as text; as a JSON document it has the
 * component names, with the unit last.
 *
 * @param ok whether every check passed
 * @param failure message of the first failed check, or null
 * @param machine the machine
 * @param graph the class graph, or null if it was skipped
 * @param load the load, or null if it was skipped or failed
 * @param durable the durable part, or null if it was skipped or failed
 * @param collector garbage collections during the demo
 * @param seconds duration of the demo
 */
public record DemoReport(boolean ok, @Nullable String failure, Machine machine, @Nullable Graph graph,
                         @Nullable Load load, @Nullable Durable durable, Collector collector, double seconds) {
    /**
     * The machine that ran the demo.
     *
     * @param javaVersion version of the JVM
     * @param cores number of processors available to the JVM
     * @param memoryMode source of the stores' memory: reserved address space, or arena blocks
     */
    public record Machine(String javaVersion, int cores, String memoryMode) {}

    /**
     * The class graph and the results of its queries.
     *
     * @param classes number of vertexes
     * @param references number of edges
     * @param unknownReferences number of references to classes that are not in the image
     * @param threads number of reading threads
     * @param readSeconds time from listing the first directory to storing the last edge
     * @param chunks number of chunks, two per class
     * @param payloadBytes sum of the lengths of all chunks
     * @param usedBytes memory in use by the store, its table included
     * @param referrers the classes that refer to the class of {@code --class}
     * @param path shortest path from the class of {@code --from} to the class of {@code --to}
     * @param mostReferenced the classes with the most referrers
     */
    public record Graph(int classes, long references, long unknownReferences, int threads, double readSeconds,
                        long chunks, long payloadBytes, long usedBytes, Referrers referrers, Path path,
                        List<ClassGraph.Ranked> mostReferenced) {}

    /**
     * The classes that refer to a class.
     *
     * @param name name of the class
     * @param count number of classes that refer to it
     * @param first the first referrers in the order of names
     */
    public record Referrers(String name, long count, List<String> first) {}

    /**
     * A shortest path from one class to another.
     *
     * @param from first class
     * @param to last class
     * @param steps number of references on the path, -1 if there is no path
     * @param classes the classes on the path, both ends included
     * @param visited number of classes that the search visited
     * @param milliseconds duration of the search
     */
    public record Path(String from, String to, int steps, List<String> classes, int visited, double milliseconds) {}

    /**
     * The work and the cost of the load.
     *
     * @param plan parameters of the load
     * @param seconds duration of the mix of operations
     * @param operations number of operations in that time
     * @param millionPerSecond million operations per second
     * @param perOperation figures of each kind of operation
     * @param sampleEvery number of operations per timed operation
     * @param clockNs time to read the clock, which is contained in each latency
     * @param sweep reading every chunk after the load
     * @param auditSeconds time to recompute all invariants of the store, or null without {@code --audit}
     * @param footprint use of memory
     */
    public record Load(LoadPlan plan, double seconds, long operations, double millionPerSecond,
                       List<Operation> perOperation, int sampleEvery, long clockNs, Sweep sweep,
                       @Nullable Double auditSeconds, Footprint footprint) {}

    /**
     * One kind of operation. Rates are operations of this kind divided by the time of the whole mix.
     *
     * @param name its name
     * @param count how many
     * @param millionPerSecond how many by the time
     * @param samples number of timed operations
     * @param p50Ns median latency
     * @param p90Ns 90th percentile of the latency
     * @param p99Ns 99th percentile of the latency
     * @param p999Ns 99.9th percentile of the latency
     * @param maxNs highest latency
     */
    public record Operation(String name, long count, double millionPerSecond, long samples, long p50Ns, long p90Ns,
                            long p99Ns, long p999Ns, long maxNs) {}

    /**
     * Reading every chunk after the load, in batches in order of creation; each chunk is verified.
     *
     * @param chunks number of chunks
     * @param seconds duration
     * @param millionPerSecond million chunks per second
     */
    public record Sweep(long chunks, double seconds, double millionPerSecond) {}

    /**
     * Use of the memory of the load's store. Memory in use is the sum of payload, slot waste, free slots and table;
     * free units are committed in addition.
     *
     * @param chunks number of chunks
     * @param payloadBytes sum of the lengths of all chunks
     * @param slotWasteBytes bytes of slots in use beyond the lengths of their chunks
     * @param freeSlotBytes free slots, and headers of pages
     * @param tableBytes the table from CID to address
     * @param freeUnitBytes committed memory that is not in use
     * @param usedBytes memory in use
     * @param committedBytes memory that the store has committed from the system
     * @param limitBytes memory limit of the store
     * @param residentBytes resident memory of the process, JVM included; -1 if the system does not report it
     */
    public record Footprint(long chunks, long payloadBytes, long slotWasteBytes, long freeSlotBytes, long tableBytes,
                            long freeUnitBytes, long usedBytes, long committedBytes, long limitBytes,
                            long residentBytes) {
        /** Returns bytes divided by the number of chunks. */
        double perChunk(long bytes) {
            return (double) bytes / Math.max(chunks, 1);
        }
    }

    /**
     * The content that a killed process had stored, and the content of the opened store.
     *
     * @param folder folder of the store
     * @param classes number of vertexes, each compared after each kill
     * @param references number of edges, each compared after each kill
     * @param storeSeconds time to start the process, and to read and store the graph
     * @param kills number of kills
     * @param threads number of updating threads
     * @param acknowledgedUpdates number of updates whose call had returned
     * @param updatesPerSecond acknowledged updates per second
     * @param keptUpdates number of updates that the store contained
     * @param underWayUpdates number of kept updates without acknowledgement, at most one per thread and kill
     * @param openSeconds longest time to open the store
     * @param restoredEntries highest number of log entries read at an opening
     */
    public record Durable(String folder, int classes, long references, double storeSeconds, int kills, int threads,
                          long acknowledgedUpdates, double updatesPerSecond, long keptUpdates, long underWayUpdates,
                          double openSeconds, long restoredEntries) {}

    /**
     * The garbage collections during the demo.
     *
     * @param collections number of collections
     * @param pausesMilliseconds sum of all pauses
     * @param longestPauseMilliseconds the longest pause
     * @param heapPeakBytes highest use of the Java heap
     * @param heapLimitBytes limit of the Java heap
     */
    public record Collector(long collections, double pausesMilliseconds, double longestPauseMilliseconds,
                            long heapPeakBytes, long heapLimitBytes) {}
}
