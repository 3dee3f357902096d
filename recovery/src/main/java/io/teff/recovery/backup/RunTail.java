package io.teff.recovery.backup;

import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.NumberMark;
import io.teff.recovery.format.RunLayout;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes runs of records of the write buffer. For one thread.
 *
 * <p>The number of a record is the highest number of its entries: each record has an entry with the record's number, or
 * a mark.
 */
final class RunTail implements EntryVisitor {
    /** A run is passed on when it has this many bytes. */
    private static final int RUN_BYTES = 1 << 18;

    private final long after;
    private final RunSink sink;
    private final MemorySegment run =
        MemorySegment.ofBuffer(ByteBuffer.allocateDirect(RUN_BYTES + RunLayout.RUN_BYTES_MAX));
    /** Offsets of the record's entries. */
    private final List<Long> entries = new ArrayList<>();
    private long record;
    private long at;
    private long number;
    private long before;
    private boolean isComplete = true;

    RunTail(long after, RunSink sink) {
        this.after = after;
        this.sink = sink;
        this.before = after;
        this.at = RunWriter.begin(0);
    }

    @Override
    public void record(long position, boolean group) {
        endRecord();
    }

    @Override
    public void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset,
                      int length) {
        number = Long.compareUnsigned(sequence, number) > 0 ? sequence : number;
        if (!NumberMark.is(cid)) {
            entries.add(at);
            final long content = RunWriter.entry(run, at, cid, kind, length, sequence);
            RunLayout.copy(bytes, offset, run, content, length);
            at = RunWriter.next(content, length);
        }
    }

    private void endRecord() {
        final long own = number;
        if (RunLayout.counter(own) > RunLayout.counter(after)) {
            isComplete &= RunLayout.counter(own) == RunLayout.counter(before) + 1;
            before = own;
            for (long entry : entries) {
                if (RunLayout.entryNumber(run, entry) == own) {
                    RunLayout.entryNumber(run, entry, 0);
                }
            }
            final long begin = record;
            record = RunWriter.end(run, begin, own, entries.size(), at);
            if (record >= RUN_BYTES) {
                flush(0, begin);
                flush(begin, record);
                record = 0;
            }
        }
        entries.clear();
        number = 0;
        at = RunWriter.begin(record);
    }

    private void flush(long from, long end) {
        if (end > from && isComplete) {
            sink.run(run, from, end - from);
        }
    }

    /**
     * Passes on the last run.
     *
     * @param last number of the last record that there must be
     * @return whether no record was missing
     */
    boolean end(long last) {
        endRecord();
        isComplete &= RunLayout.counter(before) >= RunLayout.counter(last);
        flush(0, record);
        return isComplete;
    }
}
