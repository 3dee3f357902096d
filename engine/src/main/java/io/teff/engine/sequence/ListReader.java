package io.teff.engine.sequence;

import io.teff.engine.collect.ChunkList;
import io.teff.engine.error.Status;
import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.Memory;
import io.teff.engine.storage.CodecBuffers;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;

/**
 * Finds elements in the segments of a list without a lock, under the sequence word of the segment's stripe, like any
 * optimistic read of the store. Thread-safe.
 */
final class ListReader {
    /** Result of {@link #read}: a chunk was removed, or changed repeatedly during the read. */
    static final int RETRY = -100;

    private static final int ATTEMPTS = 8;
    /** Result of {@link #readAt}: the buffers contain the link of the element. */
    private static final int OVERFLOW = -1000;

    private final CollectionChunks chunks;
    private final Memory memory;
    private final Stripes stripes;
    private final Table table;
    private final OverflowElements overflow;
    private final int fixedBytes;

    ListReader(CollectionChunks chunks, OverflowElements overflow, int fixedBytes) {
        this.chunks = chunks;
        this.memory = chunks.memory();
        this.stripes = chunks.stripes();
        this.table = chunks.table();
        this.overflow = overflow;
        this.fixedBytes = fixedBytes;
    }

    /**
     * Copies an element to the buffers.
     *
     * @param cid the segment
     * @param at index of the element in the segment
     * @return length of the element, ABSENT if the segment has fewer elements, or {@link #RETRY}
     */
    int read(long cid, int at, CodecBuffers buffers) {
        int result = readOptimistic(cid, at, buffers);
        if (result == RETRY) {
            long word = chunks.enterToRead(cid);
            if (word == Status.ABSENT) {
                return RETRY;
            }
            try {
                result = readAt(EntryWord.address(word), chunks.length(word), at, buffers.bytes());
            } finally {
                chunks.leave(cid);
            }
        }
        return result == OVERFLOW ? readOverflow(buffers) : result;
    }

    private int readOptimistic(long cid, int at, CodecBuffers buffers) {
        int stripe = stripes.of(cid);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            long begun = stripes.begin(stripe);
            long entry = table.entryToRead(CidLayout.index(cid));
            long word = entry == Table.NO_ENTRY ? 0 : memory.getLongAcquire(entry);
            if (!EntryWord.isReadable(word, cid)) {
                return RETRY;
            }
            if (!stripes.unchanged(stripe, begun)) {
                continue;
            }
            long length = chunks.length(word);
            if (stripes.unchanged(stripe, begun)) {             // proves the length that was read before the chunk
                int result = readAt(EntryWord.address(word), length, at, buffers.bytes());
                if (stripes.unchanged(stripe, begun)) {
                    return result;
                }
            }
        }
        return RETRY;
    }

    /**
     * Reads an element of the segment at an address. All reads may be torn, so every offset is checked to be in the
     * chunk.
     */
    private int readAt(long address, long chunkBytes, int at, byte[] target) {
        int head = memory.getFieldShort(address) & 0xFFFF;
        int elements = ListSegmentLayout.elementsAt(head, fixedBytes);
        if (at >= ListSegmentLayout.count(head) || ListSegmentLayout.count(head) > ChunkList.SEGMENT
            || elements > chunkBytes) {
            return Status.ABSENT;
        }
        int start;
        int end;
        if (fixedBytes >= 0) {
            start = at * fixedBytes;
            end = start + fixedBytes;
        } else {
            int endAt = ListSegmentLayout.endAt(head, at);
            start = at == 0 ? 0
                : memory.getFieldShort(address + endAt - ListSegmentLayout.END_BYTES) & ListSegmentLayout.END_MASK;
            end = memory.getFieldShort(address + endAt) & 0xFFFF;
        }
        int length = (end & ListSegmentLayout.END_MASK) - start;
        int from = elements + start;
        if (length < 0 || length > ListSegmentLayout.INLINE_BYTES_MAX || from + length > chunkBytes) {
            return Status.ABSENT;
        }
        if (length > 0) {
            memory.copyOut(address + from, target, 0, length);
        }
        return fixedBytes < 0 && (end & ListSegmentLayout.OVERFLOW) != 0 ? OVERFLOW : length;
    }

    private int readOverflow(CodecBuffers buffers) {
        int length = overflow.copy(OverflowElements.link(buffers.bytes(), 0), buffers);
        return length == Status.ABSENT ? RETRY : length;
    }
}
