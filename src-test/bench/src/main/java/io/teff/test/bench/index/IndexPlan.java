package io.teff.test.bench.index;

import io.teff.test.bench.session.ProcessPlan;
import java.nio.file.Path;
import java.util.List;

/**
 * The measurements of one store, in a JVM of its own.
 *
 * @param kind the store
 * @param entries entries of the map that is queried
 * @param puts entries of each map that is changed
 * @param folder an empty folder for a durable store
 */
record IndexPlan(IndexKind kind, int entries, int puts, Path folder) implements ProcessPlan {
    private static final long MEMORY_BYTES_FIXED = 1L << 30;
    private static final long BYTES_PER_ENTRY = 200;

    @Override
    public long memoryBytes() {
        return MEMORY_BYTES_FIXED + BYTES_PER_ENTRY * Math.max(entries, 4L * puts);
    }

    @Override
    public List<String> arguments() {
        return List.of("index-session", "--kind", kind.id(), "--entries", "" + entries, "--puts", "" + puts, "--folder",
            folder.toString(), "--memory", "" + storeBytes());
    }
}
