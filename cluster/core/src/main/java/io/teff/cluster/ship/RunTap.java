package io.teff.cluster.ship;

import io.teff.cluster.zone.ZoneNumber;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the records of a zone from a moment on, for a reader of the zone. Records are kept as runs, until the reader
 * takes the records. A tap with too many bytes breaks: it keeps nothing any more, and the reader begins anew.
 * Thread-safe.
 */
public final class RunTap {
    private static final int RUN_BYTES = 256 << 10;

    private final long bytesMax;
    private final Deque<MemorySegment> runs = new ArrayDeque<>();
    private byte[] open = new byte[0];
    private int used;
    private long keptBytes;
    private long last;
    private boolean isBroken;

    /**
     * Makes a tap.
     *
     * @param bytesMax most bytes of records
     */
    public RunTap(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Begins behind a record. */
    synchronized void begin(long number) {
        last = number;
    }

    /** Takes a record. */
    synchronized void record(long number, MemorySegment source, long offset, long bytes) {
        if (isBroken) {
            return;
        }
        keptBytes += bytes;
        if (keptBytes > bytesMax) {
            end();
            return;
        }
        if (used + bytes > open.length) {
            close();
            open = new byte[(int) Math.max(bytes, RUN_BYTES)];
        }
        MemorySegment.copy(source, offset, MemorySegment.ofArray(open), used, bytes);
        used += (int) bytes;
        last = number;
    }

    private void close() {
        if (used > 0) {
            runs.add(MemorySegment.ofArray(open).asSlice(0, used));
            open = new byte[0];
            used = 0;
        }
    }

    /** Keeps nothing any more. Idempotent. */
    public synchronized void end() {
        isBroken = true;
        runs.clear();
        open = new byte[0];
        used = 0;
    }

    /** {@return whether records are missing, or the zone has left its owner} */
    public synchronized boolean isBroken() {
        return isBroken;
    }

    /** {@return the next records, as a run; null if there are none now} */
    public synchronized @Nullable MemorySegment take() {
        if (runs.isEmpty()) {
            close();
        }
        final MemorySegment run = runs.poll();
        keptBytes -= run == null ? 0 : run.byteSize();
        return run;
    }

    /**
     * {@return whether the tap has had all records up to a number, and the reader has taken all of them}
     *
     * @param number number of a change
     */
    public synchronized boolean hasAll(long number) {
        return runs.isEmpty() && used == 0 && ZoneNumber.counter(last) >= ZoneNumber.counter(number);
    }
}
