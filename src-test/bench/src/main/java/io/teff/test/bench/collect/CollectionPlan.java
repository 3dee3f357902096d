package io.teff.test.bench.collect;

import io.teff.test.bench.session.ProcessPlan;
import java.util.List;

/**
 * The plan of the measurements of one structure, in a JVM of its own.
 *
 * @param kind the structure
 * @param entries number of entries
 * @param memoryBytes total memory of the process
 * @param warmUpMs minimum time to warm each measurement up
 * @param measureMs time of each measurement that can be repeated
 * @param rate inserts per second where the waits of growth are measured
 */
public record CollectionPlan(CollectionKind kind, int entries, long memoryBytes, int warmUpMs, int measureMs, int rate)
    implements ProcessPlan {
    @Override
    public List<String> arguments() {
        return List.of("collection-session", "--structure", kind.id(), "--entries", "" + entries, "--memory",
            "" + memoryBytes, "--warm-up-ms", "" + warmUpMs, "--measure-ms", "" + measureMs, "--rate", "" + rate);
    }
}
