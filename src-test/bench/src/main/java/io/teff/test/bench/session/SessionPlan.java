package io.teff.test.bench.session;

import io.teff.test.bench.store.StoreKind;
import io.teff.test.bench.store.Values;
import java.util.List;

/**
 * The plan of one session: one store, in a JVM of its own.
 *
 * @param kind the store
 * @param entries number of entries
 * @param values their lengths
 * @param threadsMax maximum number of threads, 1 or 2
 * @param memoryBytes total memory of the process
 * @param measureMs time of each measurement, after a warm-up of the same length
 * @param latencyRate operations per second of the load whose latencies are measured
 * @param latencyMs its time; 0 leaves it out
 */
public record SessionPlan(StoreKind kind, int entries, Values values, int threadsMax, long memoryBytes, int measureMs,
    int latencyRate, int latencyMs) implements ProcessPlan {
    /**
     * The measured methods are not inlined into the loops of JMH. Such a loop has two copies of its method, and in the
     * second copy the compiler reaches its limits for inlining ({@code docs/decisions/0004}).
     */
    private static final List<String> FLAGS = List.of("-XX:CompileCommand=quiet",
        "-XX:CompileCommand=dontinline," + StoreOps.class.getName() + "::*");

    @Override
    public List<String> flags() {
        return FLAGS;
    }

    @Override
    public List<String> arguments() {
        return List.of("session", "--store", kind.id(), "--entries", "" + entries, "--values", values.toString(),
            "--threads", "" + threadsMax, "--memory", "" + memoryBytes, "--measure-ms", "" + measureMs, "--rate",
            "" + latencyRate, "--latency-ms", "" + latencyMs);
    }
}
