package io.teff.test.bench.graph;

import io.teff.test.bench.session.ProcessPlan;
import java.nio.file.Path;
import java.util.List;

/**
 * The measurements of one library, in a JVM of its own.
 *
 * @param kind the library
 * @param file graph in the format of GAP
 * @param scale scale of the Kronecker graph for the load; 0 for none
 * @param roots number of searches
 * @param threads number of threads
 * @param memoryBytes total memory of the process
 */
record GraphPlan(GraphKind kind, Path file, int scale, int roots, int threads, long memoryBytes)
    implements ProcessPlan {
    private static final int HEAP_SHARE = 4;

    @Override
    public List<String> arguments() {
        return List.of("graph-session", "--kind", kind.id(), "--file", file.toString(), "--scale", "" + scale,
            "--roots", "" + roots, "--threads", "" + threads, "--memory", "" + memoryBytes);
    }

    @Override
    public long heapBytes() {
        return kind.isOffHeap() ? memoryBytes / HEAP_SHARE : memoryBytes;
    }

    @Override
    public long storeBytes() {
        return memoryBytes - memoryBytes / HEAP_SHARE;
    }
}
