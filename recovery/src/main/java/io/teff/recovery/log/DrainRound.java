package io.teff.recovery.log;

import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.FrameWriter;
import io.teff.recovery.format.RingRecord;
import io.teff.recovery.format.RingScan;
import io.teff.recovery.format.ZoneId;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The records taken from the ring by the drainer in a round, and the route of each zone's share. For one thread.
 *
 * <p>A zone whose share is large and contains no group skips the primary log: its segment is synced instead. A record
 * is written to the frame as a whole if any of its zones does not skip. Groups always go into the frame: a group
 * survives as a whole or not at all, and only a checksum over the whole group can ensure this. Links of chains go into
 * the frame, too: the entry that completes a long chunk follows later, and must not reach the device before the links.
 */
final class DrainRound implements EntryVisitor {
    /** The share of one zone. */
    private static final class Part {
        private final ZoneId zone;
        private long bytes;
        private boolean hasGroup;

        Part(ZoneId zone) {
            this.zone = zone;
        }
    }

    private final RingScan scan;
    private final int skipBytes;
    private final Map<ZoneId, Part> parts = new HashMap<>();
    private @Nullable Part lastPart;
    private boolean isGroup;
    private boolean needsFrame;
    private long begin;
    private long end;

    DrainRound(RingScan scan, int skipBytes) {
        this.scan = scan;
        this.skipBytes = skipBytes;
    }

    /**
     * Takes the committed records.
     *
     * @param from position of the first record
     * @param tail position to stop at
     * @param recordsBytesMax limit of the bytes of the records
     */
    void take(long from, long tail, int recordsBytesMax) {
        parts.clear();
        lastPart = null;
        begin = from;
        end = from;
        while (end < tail) {
            final long bytes = scan.bytes(end);
            if (bytes == 0 || end + bytes - from > recordsBytesMax) {
                return;
            }
            if (scan.hasEntries(end)) {
                scan.show(end, this);
            }
            end += bytes;
        }
    }

    @Override
    public void record(long position, boolean group) {
        isGroup = group;
    }

    @Override
    public void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset,
                      int length) {
        final Part part = part(owner, zone);
        part.bytes += RingRecord.ENTRY_BYTES + length;
        part.hasGroup |= isGroup || EntryKind.isLink(kind);
    }

    private Part part(int owner, int zone) {
        final Part last = lastPart;
        if (last != null && last.zone.owner() == owner && last.zone.zone() == zone) {
            return last;
        }
        final Part part = parts.computeIfAbsent(new ZoneId(owner, zone), Part::new);
        lastPart = part;
        return part;
    }

    /** Returns the position of the first record. */
    long begin() {
        return begin;
    }

    /** Returns the position behind the last record. */
    long end() {
        return end;
    }

    /** Returns all zones that have a share. */
    List<ZoneId> zones() {
        return parts.values().stream().map(part -> part.zone).toList();
    }

    /** Returns the zones that skip the primary log. */
    List<ZoneId> skipping() {
        return parts.values().stream().filter(this::skips).map(part -> part.zone).toList();
    }

    private boolean skips(Part part) {
        return part.bytes >= skipBytes && !part.hasGroup;
    }

    /** Returns the name of a zone that has a share. */
    ZoneId zone(int owner, int zone) {
        return part(owner, zone).zone;
    }

    /** Returns an upper bound of the bytes of the records that go into the frame. */
    long frameBytesMax() {
        return parts.values().stream().allMatch(this::skips) ? 0 : end - begin;
    }

    /**
     * Copies the records that go into the frame.
     *
     * @param frame receives them, from {@link FrameWriter#HEAD_BYTES} on
     * @return their bytes
     */
    int copyTo(MemorySegment frame) {
        final boolean isAll = parts.values().stream().noneMatch(this::skips);
        int at = FrameWriter.HEAD_BYTES;
        for (long position = begin; position < end; position += scan.bytes(position)) {
            if (scan.hasEntries(position) && (isAll || needsFrame(position))) {
                at = scan.copy(position, frame, at);
            }
        }
        return at - FrameWriter.HEAD_BYTES;
    }

    private boolean needsFrame(long position) {
        needsFrame = false;
        scan.show(position, (cid, sequence, owner, zone, kind, bytes, offset, length) ->
            needsFrame |= !skips(part(owner, zone)));
        return needsFrame;
    }
}
