package io.teff.engine.sequence;

import io.teff.engine.collect.ChunkList;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CollectionChunks;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.StampedLock;

/**
 * The segments of a list: segment s holds the elements from index 64 s on, so all segments but the last are full
 * ({@link ListSegmentLayout}).
 *
 * <p>The caller holds the list's lock of writers. The change of one segment is one operation of the engine. An
 * insertion or removal before the end moves elements from segment to segment. It holds the write stamp of {@link
 * #shifting}, so that a concurrent reader detects it and starts again.
 */
final class ListSegments {
    private static final int SEGMENT = ChunkList.SEGMENT;

    private final CollectionChunks chunks;
    private final ChunkIndex index;
    private final OverflowElements overflow;
    private final boolean hasFixedBytes;
    private final SegmentBytes segment;
    private final SegmentBytes neighbour;
    private final StampedLock shifting = new StampedLock();
    private final StampedLock revising = new StampedLock();
    private final AtomicLong memoryBytes = new AtomicLong();
    private volatile long size;
    /** The chunk of a replaced element that is still to be removed, or 0. */
    private long replaced;

    ListSegments(CollectionChunks chunks, ChunkIndex index, OverflowElements overflow) {
        this.chunks = chunks;
        this.index = index;
        this.overflow = overflow;
        this.hasFixedBytes = index.keyBytes() >= 0;
        this.segment = new SegmentBytes(index.keyBytes());
        this.neighbour = new SegmentBytes(index.keyBytes());
    }

    // ---- for readers ----

    /** Returns the number of elements. */
    long size() {
        return size;
    }

    long memoryBytes() {
        return memoryBytes.get() + index.memoryBytes();
    }

    StampedLock shifting() {
        return shifting;
    }

    /**
     * Held in write mode while an element is replaced, moved or removed, but not while one is appended. A search
     * without this lock has seen the list as of a single moment, if no thread held the lock during the search.
     */
    StampedLock revising() {
        return revising;
    }

    /** Returns the segment of an element, or 0 if it does not exist. */
    long cidOf(long element) {
        return index.cidOf(segmentOf(element));
    }

    /** Returns the index of an element in its segment. */
    static int placeOf(long element) {
        return (int) (element % SEGMENT);
    }

    private static long segmentOf(long element) {
        return element / SEGMENT;
    }

    // ---- one segment ----

    /** Copies a segment; returns the length of its chunk. */
    private int load(long number, SegmentBytes target) {
        int length = chunks.get(index.cidOf(number), target.bytes());
        if (length < 0 || !target.isWhole(length)) {
            throw ChunkIndex.damaged(chunks, index.cidOf(number), "is not a segment of a list");
        }
        return length;
    }

    /** Writes the loaded segment, whose chunk had {@code bytesBefore} bytes, or 0 if it is new. */
    private void store(long number, int bytesBefore) {
        int length = storeAt(number, segment.chunkBytes(), bytesBefore);
        memoryBytes.addAndGet(chunks.takenBytes(length) - (bytesBefore == 0 ? 0 : chunks.takenBytes(bytesBefore)));
    }

    /**
     * Writes the loaded segment with a chunk length. Without memory for another length, the segment stays in its chunk
     * if short enough. Returns the length of the chunk.
     */
    private int storeAt(long number, int length, int bytesBefore) {
        long cid = index.cidOf(number);
        if (chunks.tryStore(cid, segment.bytes(), 0, length)) {
            return length;
        }
        int kept = segment.used() <= bytesBefore ? bytesBefore : length;
        chunks.store(cid, segment.bytes(), 0, kept);
        return kept;
    }

    private void storeOrRemove(long number, int bytesBefore) {
        if (segment.count() > 0) {
            store(number, bytesBefore);
        } else {
            index.setCount(number);
            segment.clear();
            storeAt(number, ListSegmentLayout.COUNT_BYTES, bytesBefore);
            memoryBytes.addAndGet(-chunks.takenBytes(bytesBefore));
            index.trim();
        }
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField")    // under the lock of writers
    private void setSize(long newSize) {
        size = newSize;
    }

    // ---- overflow elements ----

    /** Counts an overflow element whose link was put into a segment. */
    void countOverflow(long cid) {
        memoryBytes.addAndGet(overflow.takenBytes(cid));
    }

    /** Removes the chunk of an overflow element whose link was removed; 0 for none. */
    private void removeOverflow(long cid) {
        if (cid != 0) {
            memoryBytes.addAndGet(-overflow.takenBytes(cid));
            chunks.remove(cid);
        }
    }

    /** Returns the overflow chunk of an element of the loaded segment, or 0. */
    private long overflowOf(int at) {
        return segment.isOverflow(at) ? segment.overflowCid(at) : 0;
    }

    // ---- changes ----

    /** Replaces the bytes of an element. */
    void set(long element, byte[] bytes, int length, boolean isOverflow) {
        long number = segmentOf(element);
        int before = load(number, segment);
        int at = placeOf(element);
        long oldOverflow = overflowOf(at);
        segment.set(at, bytes, 0, length, isOverflow);
        long revision = revising.writeLock();
        try {
            store(number, before);
        } finally {
            revising.unlockWrite(revision);
        }
        replaced = oldOverflow;
    }

    /**
     * Removes the chunk whose link the last {@link #set} has replaced. If the chunk is locked, it remains unused in
     * the store.
     */
    void removeReplaced() {
        long cid = replaced;
        replaced = 0;
        removeOverflow(cid);
    }

    /** Appends an element. */
    void append(byte[] bytes, int from, int length, boolean isOverflow) {
        long number = segmentOf(size);
        int at = placeOf(size);
        int before = 0;
        if (at == 0) {
            index.reserve(number);
            segment.clear();
        } else {
            before = load(number, segment);
        }
        segment.insert(at, bytes, from, length, isOverflow);
        store(number, before);
        if (at == 0) {
            index.setCount(number + 1);
        }
        setSize(size + 1);
    }

    /**
     * Inserts an element before another. First appends a copy of the last element; then moves the last element of each
     * segment to the next one, from the end to the front, so that the list may contain an element twice but never
     * lacks one; finally replaces the duplicate.
     */
    void insert(long element, byte[] bytes, int length, boolean isOverflow) {
        long revision = revising.writeLock();
        long stamp = shifting.writeLock();
        try {
            long last = size - 1;
            load(segmentOf(last), neighbour);
            int at = placeOf(last);
            append(neighbour.bytes(), neighbour.from(at), neighbour.length(at), neighbour.isOverflow(at));
            makeRoomToInsert(element, last, length);
            for (long number = segmentOf(last); number > segmentOf(element); number--) {
                load(number - 1, neighbour);
                shiftRight(number, 0, neighbour.bytes(), neighbour.from(SEGMENT - 1), neighbour.length(SEGMENT - 1),
                    neighbour.isOverflow(SEGMENT - 1));
            }
            shiftRight(segmentOf(element), placeOf(element), bytes, 0, length, isOverflow);
        } finally {
            shifting.unlockWrite(stamp);
            revising.unlockWrite(revision);
        }
    }

    /** Allocates the room for all moves in advance, so that moving cannot fail; on failure removes the duplicate. */
    private void makeRoomToInsert(long element, long last, int length) {
        boolean isDone = hasFixedBytes;
        try {
            for (long number = segmentOf(last); !isDone && number >= segmentOf(element); number--) {
                int got = length;
                if (number > segmentOf(element)) {
                    load(number - 1, neighbour);
                    got = neighbour.length(SEGMENT - 1);
                }
                int before = load(number, segment);
                makeRoom(number, before, segment.used() - segment.length(segment.count() - 1) + got);
            }
            isDone = true;
        } finally {
            if (!isDone) {
                takeLast();
            }
        }
    }

    private void makeRoomToRemove(long element) {
        int at = placeOf(element);
        for (long number = segmentOf(element); !hasFixedBytes && number < index.count() - 1; number++) {
            load(number + 1, neighbour);
            int before = load(number, segment);
            makeRoom(number, before, segment.used() - segment.length(at) + neighbour.length(0));
            at = 0;
        }
    }

    /** Extends the chunk of the loaded segment if it is shorter than the future content. */
    private void makeRoom(long number, int before, int needed) {
        if (needed > before) {
            chunks.store(index.cidOf(number), segment.bytes(), 0, needed);
            memoryBytes.addAndGet(chunks.takenBytes(needed) - chunks.takenBytes(before));
        }
    }

    /** Removes the last element but keeps its overflow chunk. */
    private void takeLast() {
        long number = segmentOf(size - 1);
        int before = load(number, segment);
        segment.remove(segment.count() - 1);
        storeOrRemove(number, before);
        setSize(size - 1);
    }

    /** Inserts into a segment whose last element is already copied to the next one, or is the duplicate. */
    private void shiftRight(long number, int at, byte[] bytes, int from, int length, boolean isOverflow) {
        int before = load(number, segment);
        segment.remove(segment.count() - 1);
        segment.insert(at, bytes, from, length, isOverflow);
        store(number, before);
    }

    /** Removes an element, and moves the first element of each following segment to the segment before. */
    void remove(long element) {
        long revision = revising.writeLock();
        long stamp = element == size - 1 ? 0 : shifting.writeLock();
        try {
            makeRoomToRemove(element);
            long number = segmentOf(element);
            int before = load(number, segment);
            int at = placeOf(element);
            long oldOverflow = overflowOf(at);
            segment.remove(at);
            for (; number < index.count() - 1; number++) {
                int beforeNext = load(number + 1, neighbour);
                segment.insert(SEGMENT - 1, neighbour.bytes(), neighbour.from(0), neighbour.length(0),
                    neighbour.isOverflow(0));
                store(number, before);
                System.arraycopy(neighbour.bytes(), 0, segment.bytes(), 0, segment.bytes().length);
                segment.remove(0);
                before = beforeNext;
            }
            storeOrRemove(number, before);
            setSize(size - 1);
            removeOverflow(oldOverflow);
        } finally {
            if (stamp != 0) {
                shifting.unlockWrite(stamp);
            }
            revising.unlockWrite(revision);
        }
    }

    void clear() {
        while (size > 0) {
            remove(size - 1);
            if (placeOf(size) == 0) {
                chunks.endGroup();
            }
        }
    }

    // ---- whole list ----

    /** Sums over a list. */
    private record Sums(long elements, long memoryBytes) {}

    /** Counts and checks all segments. */
    private Sums sums() {
        long elements = 0;
        long memorySum = 0;
        for (long number = 0; number < index.count(); number++) {
            memorySum += chunks.takenBytes(load(number, segment));
            if (number < index.count() - 1 && segment.count() != SEGMENT || segment.count() == 0) {
                throw ChunkIndex.damaged(chunks, index.cidOf(number), "has " + segment.count() + " elements");
            }
            elements += segment.count();
            for (int at = 0; at < segment.count(); at++) {
                memorySum += segment.isOverflow(at) ? overflow.takenBytes(segment.overflowCid(at)) : 0;
            }
        }
        return new Sums(elements, memorySum);
    }

    /** Counts the list when it is opened. */
    void open() {
        Sums sums = sums();
        size = sums.elements;
        memoryBytes.set(sums.memoryBytes);
    }

    void audit() {
        Sums sums = sums();
        if (sums.elements != size || sums.memoryBytes != memoryBytes.get()) {
            throw ChunkIndex.damaged(chunks, index.root(), "has " + sums.elements + " elements in " + sums.memoryBytes
                + " bytes, not " + size + " in " + memoryBytes.get());
        }
    }
}
