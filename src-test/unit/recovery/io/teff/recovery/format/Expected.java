package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Supplier;

/**
 * Compares the entries of a reader with the written ones, without garbage: nothing that was not written, no duplicates,
 * nothing out of order. The sequence number of a change is its place in the list.
 */
final class Expected implements EntryVisitor {
    private final List<Change> written;
    private final MemorySegment[] payloads;
    private final Supplier<String> where;
    private int shown;
    private int next;

    /** Takes the written changes, and a description of the case for failures. */
    Expected(List<Change> written, Supplier<String> where) {
        this.written = written;
        this.payloads = written.stream().map(Change::bytes).toArray(MemorySegment[]::new);
        this.where = where;
    }

    /** Returns the number of changes read since the last call. */
    int count() {
        final int count = shown;
        shown = 0;
        next = 0;
        return count;
    }

    /** Whether no change is missing before those read since the last count. */
    boolean isFromTheFirst() {
        return shown == next;
    }

    @Override
    public void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset,
                      int length) {
        if (sequence < next || sequence >= written.size()) {
            throw new AssertionError(where.get() + ": shown out of order: " + sequence + ", at least " + next);
        }
        final Change change = written.get((int) sequence);
        final MemorySegment payload = payloads[(int) sequence];
        if (change.cid() != cid || change.owner() != owner || change.zone() != zone || change.kind() != kind
            || payload.byteSize() != length
            || MemorySegment.mismatch(payload, 0, length, bytes, offset, offset + length) >= 0) {
            throw new AssertionError(where.get() + ": not what was written as " + sequence);
        }
        next = (int) sequence + 1;
        shown++;
    }
}
