package io.teff.rdma.ucx.call;

import io.teff.rdma.ffi.NanoClock;
import io.teff.rdma.ucx.UcxFeature;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The state of a context that the context's objects need: the native context, the features, the workers. Thread-safe.
 */
public final class ContextCore {
    private final long pointer;
    private final long features;
    private final long closeTimeoutNs;
    private final NanoClock clock;
    private final List<WorkerProgress> workers = new CopyOnWriteArrayList<>();
    /** Set when an object could not be freed, so that UCX keeps what the object still uses. */
    private volatile boolean isLeaking;

    /**
     * Keeps a new context.
     *
     * @param pointer the address of UCX's context
     * @param features the bits of {@link UcxFeature}
     * @param closeTimeoutNs how long a close waits for operations
     * @param clock for all waits
     */
    public ContextCore(long pointer, long features, long closeTimeoutNs, NanoClock clock) {
        this.pointer = pointer;
        this.features = features;
        this.closeTimeoutNs = closeTimeoutNs;
        this.clock = clock;
    }

    /** Returns the address of UCX's context. */
    public long pointer() {
        return pointer;
    }

    /** Returns how long a close waits for operations, in nanoseconds. */
    public long closeTimeoutNs() {
        return closeTimeoutNs;
    }

    /** Returns the clock for all waits. */
    public NanoClock clock() {
        return clock;
    }

    /** Returns whether the context was opened with a feature. */
    public boolean has(UcxFeature feature) {
        return (features & feature.bit()) != 0;
    }

    /** Checks that the context has a feature: without the feature, UCX may crash in functions that need the feature. */
    public void require(UcxFeature feature) {
        if (!has(feature)) {
            throw new IllegalStateException("the context was opened without the feature " + feature);
        }
    }

    /** Adds a new worker. */
    void add(WorkerProgress worker) {
        workers.add(worker);
    }

    /** Removes a worker that is being closed. */
    void forget(WorkerProgress worker) {
        workers.remove(worker);
    }

    /** Keeps the context in memory when the context is closed: one of the context's objects could not be freed. */
    public void leak() {
        isLeaking = true;
    }

    /** Returns whether an object could not be freed. */
    public boolean isLeaking() {
        return isLeaking;
    }

    /** Waits until no operation of a worker uses a range of memory; returns whether the range is unused. */
    public boolean settle(long start, long size) {
        boolean isFree = true;
        for (WorkerProgress worker : workers) {
            isFree &= worker.settle(start, size);
        }
        return isFree;
    }
}
