package io.teff.cluster.peer;

import io.teff.engine.journal.ChunkRestorer;
import io.teff.engine.report.HeapPlan;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the memory for a zone, instead of restoring the zone. Thread-safe. */
final class ZoneSize implements ChunkRestorer {
    /** Longer chunks are counted as multiples of this size, because such chunks take whole units of memory. */
    private static final long UNIT_BYTES = 4_096;

    private final Map<Long, LongAdder> chunks = new ConcurrentHashMap<>();

    private void add(long length) {
        final long counted = length <= UNIT_BYTES ? length : (length + UNIT_BYTES - 1) / UNIT_BYTES * UNIT_BYTES;
        chunks.computeIfAbsent(counted, _ -> new LongAdder()).increment();
    }

    /** Returns the memory of the chunks in a store, about. */
    long bytes() {
        final List<HeapPlan.Load> loads = new ArrayList<>();
        chunks.forEach((length, count) -> loads.add(new HeapPlan.Load(count.sum(), length, length)));
        return HeapPlan.of(loads).usedBytes();
    }

    @Override
    public void put(long cid, boolean isReadOnly, MemorySegment source, long offset, long length) {
        add(length);
    }

    @Override
    public Pieces begin(long length) {
        return new Pieces() {
            @Override
            public void write(long at, MemorySegment source, long offset, long bytes) {
                // only the length counts
            }

            @Override
            public void put(long cid, boolean isReadOnly) {
                add(length);
            }

            @Override
            public void discard() {
                // nothing was counted
            }
        };
    }

    @Override
    public void removed(long cid) {
        // takes no memory
    }

    @Override
    public void reserved(long cid) {
        // takes no memory
    }
}
