package io.teff.test.bench.session;

import io.teff.test.bench.store.StoreKind;
import io.teff.test.bench.store.Values;
import java.util.List;

/**
 * What one session measures: one store, in a JVM of its own.
 *
 * @param kind the store
 * @param entries how many entries it has
 * @param values their lengths
 * @param threadsMax most threads, 1 or 2
 * @param memoryBytes memory of the process in all
 * @param measureMs time of each measurement; it is warmed up as long
 * @param latencyRate operations per second of the load whose latencies are measured
 * @param latencyMs its time; 0 leaves it out
 */
public record SessionPlan(StoreKind kind, int entries, Values values, int threadsMax, long memoryBytes, int measureMs,
    int latencyRate, int latencyMs) implements ProcessPlan {
    @Override
    public List<String> arguments() {
        return List.of("session", "--store", kind.id(), "--entries", "" + entries, "--values", values.toString(),
            "--threads", "" + threadsMax, "--memory", "" + memoryBytes, "--measure-ms", "" + measureMs, "--rate",
            "" + latencyRate, "--latency-ms", "" + latencyMs);
    }
}
