package io.teff.test.bench.collect;

import io.teff.test.bench.session.ProcessPlan;
import java.util.List;

/**
 * What is measured of one structure, in a JVM of its own.
 *
 * @param kind the structure
 * @param entries how many it has
 * @param memoryBytes memory of the process in all
 * @param warmUpMs time to warm each measurement up, at least
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
