package io.teff.recovery.tool;

import io.teff.engine.journal.ChangedBytes;
import io.teff.recovery.format.ChainLink;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.SegmentWriter;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.clean.Liveness;
import java.lang.foreign.MemorySegment;

/** Counts the entries of a zone, and the live bytes of its segments. For one thread. */
final class ZoneScan implements EntryVisitor {
    private final Liveness liveness;
    private final long[] bytes;
    private final long[] kinds = new long[EntryKind.BYTES + 1];
    private int segment;
    private long payloadBytes;

    /**
     * Begins with the first of a number of segments.
     *
     * @param zone zone of the segments
     * @param segmentCount number of segments; entries outside segments count as one more
     */
    ZoneScan(ZoneId zone, int segmentCount) {
        liveness = new Liveness(zone.owner(), zone.zone(), segmentCount);
        bytes = new long[segmentCount];
    }

    /** Continues with the next segment; the one before may be damaged. */
    void nextSegment(boolean isDamaged) {
        if (isDamaged) {
            liveness.doubt(segment);
        }
        segment++;
    }

    @Override
    public void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment source, long offset,
                      int length) {
        final int entryBytes = SegmentWriter.ENTRY_BYTES + length;
        kinds[kind]++;
        payloadBytes += length;
        bytes[segment] += entryBytes;
        if (kind == EntryKind.BYTES) {
            liveness.seeBytes(segment, cid, sequence, ChangedBytes.predecessor(source, offset), entryBytes);
        } else if (EntryKind.isLink(kind)) {
            liveness.seeLink(segment, cid, sequence, ChainLink.number(source, offset),
                ChainLink.count(ChainLink.chunkBytes(source, offset)), entryBytes);
        } else {
            liveness.see(segment, cid, sequence, kind, entryBytes);
        }
    }

    /** Ends the count. */
    void end() {
        liveness.end();
    }

    /** Returns the live share of a segment's bytes; 0 if the segment has no live bytes. */
    double liveShare(int index) {
        return bytes[index] == 0 ? 0 : (double) liveness.liveBytes(index) / bytes[index];
    }

    /** Numbers of entries by kind. */
    LogReport.Entries entries() {
        return new LogReport.Entries(kinds[EntryKind.PUT], kinds[EntryKind.PUT_READ_ONLY], kinds[EntryKind.REMOVED],
            kinds[EntryKind.RESERVED], kinds[EntryKind.LINK] + kinds[EntryKind.LINK_READ_ONLY],
            kinds[EntryKind.BYTES], payloadBytes);
    }
}
