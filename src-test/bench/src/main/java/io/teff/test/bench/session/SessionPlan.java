package io.teff.test.bench.session;

import io.teff.test.bench.store.StoreKind;
import io.teff.test.bench.store.Values;

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
    int latencyRate, int latencyMs) {
    private static final long HEAP_BYTES_OFF_HEAP = 512L << 20;

    /** {@return the Java heap: all of it for a store on the heap, else what the measuring needs} */
    public long heapBytes() {
        return kind.isOffHeap() ? HEAP_BYTES_OFF_HEAP : memoryBytes;
    }

    /** {@return what the store may take outside of the heap} */
    public long storeBytes() {
        return memoryBytes - HEAP_BYTES_OFF_HEAP;
    }
}
