package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A change as written by tests, or as passed on by a reader. */
record Change(long cid, long sequence, int owner, int zone, int kind, ByteBuffer payload) {
    static Change of(long cid, long sequence, SegmentId id, int kind, byte[] payload) {
        return new Change(cid, sequence, id.owner(), id.zone(), kind, ByteBuffer.wrap(payload));
    }

    MemorySegment bytes() {
        return MemorySegment.ofBuffer(payload);
    }

    int length() {
        return payload.remaining();
    }

    /** Records the visited entries. */
    static final class Shown implements EntryVisitor {
        final List<Change> changes = new ArrayList<>();
        final List<Long> positions = new ArrayList<>();
        final List<Boolean> groups = new ArrayList<>();

        @Override
        public void record(long position, boolean group) {
            positions.add(position);
            groups.add(group);
        }

        @Override
        public void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset,
                          int length) {
            changes.add(new Change(cid, sequence, owner, zone, kind,
                ByteBuffer.wrap(bytes.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE))));
        }
    }
}
