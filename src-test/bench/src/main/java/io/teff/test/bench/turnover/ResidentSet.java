package io.teff.test.bench.turnover;

import io.teff.engine.Store;
import io.teff.engine.report.StoreStats;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Compares the growth of this process's resident set with the size of the store's data, every few milliseconds. The
 * Java heap was touched as a whole at the start of the JVM, so only memory outside of it grows.
 */
final class ResidentSet {
    private static final long PAGE_BYTES = 4096;
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(5);
    /** Allowance of the bar in addition to a share of the data. */
    private static final long ALLOWANCE_BYTES = 64L << 20;
    private static final long DATA_BYTES_MIN = 1L << 20;

    private final Store store;
    private final long bytesBefore;
    private final Thread thread;
    private volatile boolean stopped;
    private double worstOfLive;
    private double worstOfPayload;

    ResidentSet(Store store, long bytesBefore) {
        this.store = store;
        this.bytesBefore = bytesBefore;
        this.thread = Thread.ofPlatform().daemon().name("resident-set").start(this::sample);
    }

    /** Returns the resident set in bytes. */
    static long now() {
        try {
            return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]) * PAGE_BYTES;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Payload, and the table entry of each chunk. */
    static long liveBytes(StoreStats stats) {
        return stats.payloadBytes() + stats.chunks() * Long.BYTES;
    }

    /** Returns the growth of this process because of the store. */
    long grownBytes() {
        return now() - bytesBefore;
    }

    private void sample() {
        while (!stopped) {
            StoreStats stats = store.stats();
            if (stats.payloadBytes() > DATA_BYTES_MIN) {
                double above = Math.max(grownBytes() - ALLOWANCE_BYTES, 0);
                synchronized (this) {
                    worstOfLive = Math.max(worstOfLive, above / liveBytes(stats));
                    worstOfPayload = Math.max(worstOfPayload, above / stats.payloadBytes());
                }
            }
            LockSupport.parkNanos(this, PERIOD_NS);
        }
    }

    /** The largest (growth - 64 MiB) / (payload + entries) since the last call. */
    synchronized double takeWorstOfLive() {
        double worst = worstOfLive;
        worstOfLive = 0;
        return worst;
    }

    /** The largest (growth - 64 MiB) / payload since the last call. */
    synchronized double takeWorstOfPayload() {
        double worst = worstOfPayload;
        worstOfPayload = 0;
        return worst;
    }

    /** Ends the sampling; the store can be closed then. */
    void end() throws InterruptedException {
        stopped = true;
        thread.join();
    }
}
