package io.teff.recovery.log.clean;

import io.teff.engine.journal.ChangedBytes;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.SegmentWriter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Merges bytes of chunks with the whole chunks below, while entries are copied: of a chunk all of whose live entries
 * are copied at once, only the newest state is written, as a whole chunk with the number of the newest entry. Keeps a
 * limited number of bytes; beyond it, entries are copied as they are. For one thread.
 */
final class Merges {
    private static final long BYTES_MAX = 4 << 20;

    /** Writes a copied entry. */
    @FunctionalInterface
    interface Target {
        void add(long cid, long sequence, int kind, MemorySegment source, long from, int length);
    }

    /** A copied entry that is kept. */
    private record Part(long cid, long sequence, int kind, byte[] payload) {}

    /** The entries of a chunk. */
    private static final class Parts {
        private final int count;
        private final List<Part> all = new ArrayList<>();

        Parts(int count) {
            this.count = count;
        }
    }

    private final Liveness liveness;
    private final boolean[] isCopied;
    private final Target target;
    private final Map<Long, Parts> ofIndexes = new HashMap<>();
    private long bytes;

    /**
     * Begins without entries.
     *
     * @param liveness the live entries
     * @param isCopied whether the live entries of a segment are copied
     * @param target receives the entries
     */
    Merges(Liveness liveness, boolean[] isCopied, Target target) {
        this.liveness = liveness;
        this.isCopied = isCopied;
        this.target = target;
    }

    /** Prepares to copy an entry that is not taken yet. */
    void begin(long cid, long sequence, int kind) {
        if (!ofIndexes.containsKey(Newest.other(cid))) {
            final int count = liveness.partsIn(cid, sequence, kind, isCopied);
            if (count > 1) {
                ofIndexes.put(Newest.other(cid), new Parts(count));
            }
        }
    }

    /** Copies an entry that was taken. */
    void copy(long cid, long sequence, int kind, MemorySegment source, long from, int length) {
        final Parts parts = ofIndexes.isEmpty() || !liveness.isPart(cid, sequence, kind) ? null
            : ofIndexes.get(Newest.other(cid));
        if (parts == null) {
            target.add(cid, sequence, kind, source, from, length);
            return;
        }
        parts.all.add(new Part(cid, sequence, kind, ChangedBytes.copy(source, from, length)));
        bytes += length;
        if (parts.all.size() == parts.count) {
            ofIndexes.remove(Newest.other(cid));
            bytes -= parts.all.stream().mapToLong(it -> it.payload.length).sum();
            write(parts.all);
        } else if (bytes > BYTES_MAX) {
            end();
        }
    }

    private void write(List<Part> parts) {
        parts.sort(Comparator.comparing(Part::sequence, Long::compareUnsigned));
        byte[] state = parts.getFirst().payload;
        for (Part it : parts.subList(1, parts.size())) {
            state = ChangedBytes.changed(state, MemorySegment.ofArray(it.payload), 0, it.payload.length);
        }
        final long copied = parts.stream().mapToLong(it -> it.payload.length + (long) SegmentWriter.ENTRY_BYTES).sum();
        if (state.length + SegmentWriter.ENTRY_BYTES <= copied) {
            final Part newest = parts.getLast();
            target.add(newest.cid, newest.sequence, EntryKind.PUT, MemorySegment.ofArray(state), 0, state.length);
        } else {
            parts.forEach(this::writeAsIs);                     // a chunk that became longer by zeros
        }
    }

    private void writeAsIs(Part part) {
        target.add(part.cid, part.sequence, part.kind, MemorySegment.ofArray(part.payload), 0, part.payload.length);
    }

    /** Copies what is left as it is. */
    void end() {
        ofIndexes.values().forEach(parts -> parts.all.forEach(this::writeAsIs));
        ofIndexes.clear();
        bytes = 0;
    }
}
