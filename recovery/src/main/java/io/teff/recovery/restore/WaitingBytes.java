package io.teff.recovery.restore;

import io.teff.engine.journal.ChangedBytes;
import io.teff.recovery.format.SegmentWriter;
import io.teff.recovery.log.clean.Newest;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Entries of bytes of chunks that have arrived before the entries that they follow. Keeps a limited number of bytes;
 * the rest must be shown again in a further pass. For one thread.
 */
final class WaitingBytes {
    /** Limit of the payloads kept. */
    static final int BYTES_MAX = 4 << 20;
    /** Limit of the chunks that are named. */
    static final int CHUNKS_MAX = 1000;

    /**
     * An entry that waits.
     *
     * @param cid of the chunk
     * @param number of the entry
     * @param content its payload
     */
    record Waiting(long cid, long number, byte[] content) {
        long entryBytes() {
            return (long) content.length + SegmentWriter.ENTRY_BYTES;
        }
    }

    private final int bytesMax;
    /** By index, then by the number of the entry before. */
    private final Map<Long, Map<Long, Waiting>> ofIndexes = new HashMap<>();
    private long bytes;
    private boolean isCut;
    /** Chunks of entries without room, of the current pass; at most {@link #CHUNKS_MAX}. */
    private final Set<Long> cut = new HashSet<>();

    WaitingBytes(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Keeps an entry, if there is room. */
    void add(long cid, long number, MemorySegment source, long offset, int length) {
        final long before = ChangedBytes.predecessor(source, offset);
        final Map<Long, Waiting> waiting = ofIndexes.get(Newest.other(cid));
        if (waiting != null && waiting.containsKey(before)) {
            return;                                             // a copy of the entry
        }
        if (bytes + length > bytesMax) {
            isCut = true;
            if (cut.size() < CHUNKS_MAX) {
                cut.add(cid);
            }
            return;
        }
        bytes += length;
        ofIndexes.computeIfAbsent(Newest.other(cid), _ -> new HashMap<>()).put(before,
            new Waiting(cid, number, ChangedBytes.copy(source, offset, length)));
    }

    /** Drops the entries of an index that are not newer than its newest state. */
    void dropUpTo(long cid, long number) {
        if (ofIndexes.isEmpty()) {
            return;
        }
        final Map<Long, Waiting> waiting = ofIndexes.get(Newest.other(cid));
        if (waiting == null) {
            return;
        }
        for (Iterator<Waiting> all = waiting.values().iterator(); all.hasNext();) {
            final Waiting it = all.next();
            if (Long.compareUnsigned(it.number, number) <= 0) {
                bytes -= it.content.length;
                all.remove();
            }
        }
        if (waiting.isEmpty()) {
            ofIndexes.remove(Newest.other(cid));
        }
    }

    /** Returns the entry that follows a state of an index, or null. The entry stays until it is dropped. */
    @Nullable Waiting following(long cid, long number) {
        if (ofIndexes.isEmpty()) {
            return null;
        }
        final Map<Long, Waiting> waiting = ofIndexes.get(Newest.other(cid));
        return waiting == null ? null : waiting.get(number);
    }

    /** Returns whether an entry had no room since the last call. */
    boolean takeCut() {
        final boolean was = isCut;
        isCut = false;
        return was;
    }

    /** Forgets the entries without room, because they are shown again. */
    void beginPass() {
        cut.clear();
    }

    /** Returns chunks with entries that still wait, or had no room in the last pass; at most some thousand. */
    Set<Long> chunks() {
        final Set<Long> all = new HashSet<>(cut);
        ofIndexes.values().stream().flatMap(it -> it.values().stream()).map(Waiting::cid).distinct().limit(CHUNKS_MAX)
            .forEach(all::add);
        return all;
    }

    /** Returns the bytes of the entries that still wait, as entries of a segment. */
    long entryBytes() {
        return ofIndexes.values().stream().flatMap(it -> it.values().stream()).mapToLong(Waiting::entryBytes).sum();
    }
}
