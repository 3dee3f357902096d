package io.teff.recovery.log.clean;

import io.teff.engine.journal.ChangedBytes;
import io.teff.recovery.format.ChainLink;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.SegmentWriter;
import java.lang.foreign.MemorySegment;

/** Passes the entries of a segment to a count of the live ones. */
public final class Look implements EntryVisitor {
    private final Liveness liveness;
    private final int segment;
    private long bytes;

    /**
     * Counts a segment.
     *
     * @param liveness receives the entries
     * @param segment number of the segment there
     */
    public Look(Liveness liveness, int segment) {
        this.liveness = liveness;
        this.segment = segment;
    }

    @Override
    public void segment(long length) {
        bytes = length;
    }

    @Override
    public void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment memory, long offset,
                      int length) {
        if (kind == EntryKind.BYTES) {
            liveness.seeBytes(segment, cid, sequence, ChangedBytes.predecessor(memory, offset),
                length + SegmentWriter.ENTRY_BYTES);
        } else if (EntryKind.isLink(kind)) {
            liveness.seeLink(segment, cid, sequence, ChainLink.number(memory, offset),
                ChainLink.count(ChainLink.chunkBytes(memory, offset)), length + SegmentWriter.ENTRY_BYTES);
        } else {
            liveness.see(segment, cid, sequence, kind, length + SegmentWriter.ENTRY_BYTES);
        }
    }

    /** {@return bytes of the file} */
    long bytes() {
        return bytes;
    }
}
