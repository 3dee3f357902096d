package io.teff.engine.sequence;

import io.teff.engine.memory.Memory;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.table.EntryWord;

/**
 * Changes segments of a list in their chunks, inside the chunk's stripe, where a change needs no other memory: the same
 * result as a changed copy that is written back, without the copies. Each change is one operation of the engine. The
 * caller holds the list's lock of writers.
 */
final class SegmentEdits {
    private final CollectionChunks chunks;
    private final Memory memory;
    private final int fixedBytes;

    SegmentEdits(CollectionChunks chunks, int fixedBytes) {
        this.chunks = chunks;
        this.memory = chunks.memory();
        this.fixedBytes = fixedBytes;
    }

    private int head(long address) {
        return memory.getFieldShort(address) & 0xFFFF;
    }

    private int end(long address, int head, int at) {
        return fixedBytes >= 0 ? (at + 1) * fixedBytes : at < 0 ? 0
            : memory.getFieldShort(address + ListSegmentLayout.endAt(head, at)) & 0xFFFF;
    }

    /**
     * Appends an element to a segment.
     *
     * @param count number of elements of the segment
     * @return false if the chunk has no room, or is not as expected; then nothing has changed
     */
    boolean tryAppend(long cid, int count, byte[] bytes, int length, boolean isOverflow) {
        final long word = chunks.enter(cid);
        try {
            final long address = EntryWord.address(word);
            final long room = chunks.length(word);
            if (room < ListSegmentLayout.HEAD_BYTES) {
                return false;
            }
            final int head = head(address);
            final int first = ListSegmentLayout.elementsAt(head, fixedBytes);
            final int ends = fixedBytes >= 0 ? 0 : ListSegmentLayout.END_BYTES;
            if (ListSegmentLayout.count(head) != count || first > room) {
                return false;
            }
            final int used = end(address, head, count - 1) & ListSegmentLayout.END_MASK;
            if (first + used + ends + length > room) {
                return false;
            }
            chunks.touch(cid);
            if (ends > 0) {
                memory.copy(address + first, address + first + ends, used);
                memory.putFieldShort(address + first,
                    (short) (used + length | (isOverflow ? ListSegmentLayout.OVERFLOW : 0)));
            }
            memory.copyIn(bytes, 0, address + first + ends + used, length);
            memory.putFieldShort(address, (short) (head + 1));
            return true;
        } finally {
            chunks.leave(cid);
        }
    }

    /**
     * Replaces an element of a segment by one of the same length.
     *
     * @param count number of elements of the segment
     * @return false if one of them is an overflow element, the length is another one, or the chunk is not as expected;
     *     then nothing has changed
     */
    boolean tryReplace(long cid, int count, int at, byte[] bytes, int length) {
        final long word = chunks.enter(cid);
        try {
            final long address = EntryWord.address(word);
            final long room = chunks.length(word);
            if (room < ListSegmentLayout.HEAD_BYTES) {
                return false;
            }
            final int head = head(address);
            final int first = ListSegmentLayout.elementsAt(head, fixedBytes);
            if (ListSegmentLayout.count(head) != count || first > room) {
                return false;
            }
            final int start = end(address, head, at - 1) & ListSegmentLayout.END_MASK;
            // an overflow element has the highest bit, so the lengths differ
            if (end(address, head, at) - start != length || first + start + length > room) {
                return false;
            }
            chunks.touch(cid);
            memory.copyIn(bytes, 0, address + first + start, length);
            return true;
        } finally {
            chunks.leave(cid);
        }
    }
}
