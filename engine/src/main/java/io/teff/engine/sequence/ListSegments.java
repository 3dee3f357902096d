package io.teff.engine.sequence;

import io.teff.engine.collect.ChunkList;
import io.teff.engine.error.Status;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CollectionChunks;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.StampedLock;

/**
 * The segments of a list ({@link ListSegmentLayout}), their order, and the changes of one element.
 *
 * <p><b>Order.</b> Segments are chunks with numbers. A segment that has a link is followed by the segment with the
 * number in the link, another one by the segment with the next number. The segment with number 0 is the first, and may
 * be empty. On the heap, {@link ListTree} has the order and the number of elements of each segment. The tree is made
 * when the list is opened.
 *
 * <p><b>Changes.</b> The caller holds the list's lock of writers. An insertion into a full segment splits the segment:
 * the new segment behind gets the upper half, or all elements if the insertion is at the front. A removal that leaves a
 * sparse segment joins the segment with a neighbour. No other elements move, and elements never enter a segment from
 * the segment in front, which {@link ListPlace} relies on.
 *
 * <p><b>Steps.</b> The change of one chunk is one operation of the engine. After each step, the links show a list with
 * all of its elements, so a snapshot between two steps shows the list before or after the change: a new segment is
 * written, and counted, before a link shows it; a joined segment is emptied when no link shows it. A number that no
 * link shows is free when the list is opened.
 *
 * <p><b>Shortage.</b> A removal needs no memory: without memory for its shorter form a segment stays in its chunk, and
 * a join is left out. An insertion without memory has changed nothing visible.
 */
final class ListSegments {
    private static final int SEGMENT = ChunkList.SEGMENT;
    /** A segment with no more elements is joined with a neighbour, if both have no more elements than this limit. */
    private static final int SPARSE = SEGMENT / 4;
    private static final int JOINED_MAX = SEGMENT * 3 / 4;
    /** One of this many removals from a sparse segment tries to join it. */
    private static final int JOIN_STEP = 4;
    private static final int NO_MEMORY = -1;

    private final CollectionChunks chunks;
    private final ChunkIndex index;
    private final OverflowElements overflow;
    private final SegmentNumbers numbers;
    private final ListTree tree = new ListTree();
    private final SegmentEdits edits;
    private final SegmentBytes segment;
    private final SegmentBytes neighbour;
    private final ListSpot spot = new ListSpot();
    private final ListSpot other = new ListSpot();
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
        this.numbers = new SegmentNumbers(index);
        this.edits = new SegmentEdits(chunks, index.keyBytes());
        this.segment = new SegmentBytes(index.keyBytes(), SegmentBytes.BYTES_MAX);
        this.neighbour = new SegmentBytes(index.keyBytes(), SegmentBytes.BYTES_MAX);
    }

    // ---- for readers ----

    /** Returns the number of elements. */
    long size() {
        return size;
    }

    long memoryBytes() {
        return memoryBytes.get() + index.memoryBytes();
    }

    ListTree tree() {
        return tree;
    }

    long root() {
        return index.root();
    }

    long cidOf(int number) {
        return index.cidOf(number);
    }

    /**
     * Held in write mode while elements or segments move, but not while an element is appended. What a reader has read
     * without this lock is true as of one moment, if no thread held the lock meanwhile.
     */
    StampedLock shifting() {
        return shifting;
    }

    /**
     * Held in write mode while an element is inserted, replaced or removed, but not while one is appended. A search
     * without this lock has seen the list as of a single moment, if no thread held the lock during the search.
     */
    StampedLock revising() {
        return revising;
    }

    // ---- one segment ----

    /** Copies a segment; returns the length of its chunk. */
    private int load(int number, SegmentBytes target) {
        int length = target.copy(chunks, index.cidOf(number));
        if (length < 0 || !target.isWhole(length)) {
            throw ChunkIndex.damaged(chunks, index.cidOf(number), "is not a segment of a list");
        }
        return length;
    }

    /** Copies the segment of a spot, which must have the elements that the tree counts. */
    private int load(ListSpot at, SegmentBytes target) {
        int length = load(at.number(), target);
        if (target.count() != at.count()) {
            throw ChunkIndex.damaged(chunks, index.cidOf(at.number()), "has " + target.count() + " elements, not "
                + at.count());
        }
        return length;
    }

    /**
     * Writes a segment whose chunk has {@code before} counted bytes; throws if there is no memory. Returns the length
     * of the chunk.
     */
    private int store(int number, SegmentBytes source, int before) {
        int length = tryStore(number, source, before);
        if (length == NO_MEMORY) {
            length = source.chunkBytes();
            chunks.store(index.cidOf(number), source.bytes(), 0, length);
            count(length, before);
        }
        return length;
    }

    /**
     * Writes a segment. Without memory for another length, the segment stays in its chunk if it fits. If it does not
     * fit, nothing has changed.
     *
     * @return the length of the chunk, or {@link #NO_MEMORY}
     */
    private int tryStore(int number, SegmentBytes source, int before) {
        int length = source.chunkBytes();
        source.clearRoom(length);
        if (!chunks.tryStore(index.cidOf(number), source.bytes(), 0, length)) {
            if (source.used() > before) {
                return NO_MEMORY;
            }
            length = before;
            source.clearRoom(length);
            chunks.store(index.cidOf(number), source.bytes(), 0, length);
        }
        count(length, before);
        return length;
    }

    private void count(long length, long before) {
        memoryBytes.addAndGet(chunks.takenBytes(length) - chunks.takenBytes(before));
    }

    /** Writes a new segment with a taken number; returns the length of the chunk. */
    private int storeNew(int number, SegmentBytes source) {
        return store(number, source, countedBytes(number));
    }

    /** Returns the bytes of a chunk without a segment that are counted. */
    private int countedBytes(int number) {
        long bytes = number < numbers.count() ? chunks.size(index.cidOf(number)) : 0;
        return bytes == Status.ABSENT ? 0 : (int) bytes;
    }

    /** Empties a chunk that no link shows, and whose bytes are counted, and frees its number. */
    private void release(int number, int before) {
        long cid = index.cidOf(number);
        int length = ListSegmentLayout.HEAD_BYTES;
        if (!chunks.tryStore(cid, new byte[length], 0, length)) {
            length = before;
            chunks.store(cid, new byte[length], 0, length);
        }
        count(number < numbers.count() ? length : 0, before);
        numbers.give(number);
        trim();
    }

    /** Gives back the free numbers at the end. */
    private void trim() {
        long trimmed = numbers.trimmed();
        if (trimmed < numbers.count()) {
            for (long number = trimmed; number < numbers.count(); number++) {
                count(0, countedBytes((int) number));
            }
            numbers.lower(trimmed);
        }
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField")    // under the lock of writers
    private void addToSize(int elements) {
        long before = size;
        size = before + elements;
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

    // ---- search ----

    /**
     * Returns the index, from {@code low} to below {@code high}, of an element with the bytes of an element of a copy,
     * the nearest one to an index; or -1 if there is none.
     */
    long find(long low, long high, long near, SegmentBytes sought, int soughtAt) {
        long end = Math.min(high, size);
        long found = -1;
        for (long element = Math.max(low, 0); element < end; ) {
            find(element);
            load(spot, segment);
            for (int at = spot.at; at < segment.count() && element < end; at++, element++) {
                if (segment.isSame(at, sought, soughtAt)
                    && (found < 0 || Math.abs(element - near) < Math.abs(found - near))) {
                    found = element;
                }
            }
        }
        return found;
    }

    /** Returns whether the elements from an index on have the bytes of a part of a copy. */
    boolean isSame(long element, SegmentBytes sought, int from, int end) {
        long next = element;
        for (int at = from; at < end; ) {
            if (next >= size) {
                return false;
            }
            find(next);
            load(spot, segment);
            for (int there = spot.at; there < segment.count() && at < end; there++, at++, next++) {
                if (!segment.isSame(there, sought, at)) {
                    return false;
                }
            }
        }
        return true;
    }

    // ---- changes of one element ----

    private void find(long element) {
        if (!spot.find(tree.root(), element)) {
            throw ChunkIndex.damaged(chunks, index.root(), "has no element " + element);
        }
    }

    /** Replaces the bytes of an element. */
    void set(long element, byte[] bytes, int length, boolean isOverflow) {
        find(element);
        long revision = revising.writeLock();
        try {
            long cid = index.cidOf(spot.number());
            if (isOverflow || !edits.tryReplace(cid, spot.count(), spot.at, bytes, length)) {
                int before = load(spot, segment);
                long oldOverflow = segment.overflowCid(spot.at);
                segment.set(spot.at, bytes, 0, length, isOverflow);
                store(spot.number(), segment, before);
                replaced = oldOverflow;
            }
        } finally {
            revising.unlockWrite(revision);
        }
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
    void append(byte[] bytes, int length, boolean isOverflow) {
        if (spot.findEnd(tree.root()) && spot.at < SEGMENT) {
            if (!edits.tryAppend(index.cidOf(spot.number()), spot.at, bytes, length, isOverflow)) {
                int before = load(spot, segment);
                segment.insert(spot.at, bytes, 0, length, isOverflow);
                store(spot.number(), segment, before);
            }
        } else {
            appendSegment(bytes, length, isOverflow);
        }
        tree.changeLast(spot, 1);
        addToSize(1);
    }

    private void appendSegment(byte[] bytes, int length, boolean isOverflow) {
        int number = numbers.take();
        long count = Math.max(numbers.count(), number + 1L);
        int stored = 0;
        boolean done = false;
        try {
            neighbour.clear();
            neighbour.insert(0, bytes, 0, length, isOverflow);
            neighbour.setNext(ListSegmentLayout.LAST, number, count);
            stored = storeNew(number, neighbour);
            if (!tree.isEmpty()) {
                link(spot.number(), number, count);
            }
            numbers.publish(number);
            done = true;
        } finally {
            if (!done) {
                withdraw(number, stored);
            }
        }
        tree.append(spot, number);
    }

    /** Frees a taken number after a failure. */
    private void withdraw(int number, int stored) {
        if (stored > 0) {
            release(number, stored);
        } else {
            numbers.give(number);
        }
    }

    /** Lets a segment be followed by another one, or none, when there will be {@code count} numbers. */
    private void link(int number, int next, long count) {
        int before = load(number, segment);
        if (segment.next(number, count) != next) {
            segment.setNext(next, number, count);
            index.raise(ListSegmentLayout.VERSION);
            store(number, segment, before);
        }
    }

    /** Begins a change that readers of the order must not miss. */
    private long beginShift() {
        return shifting.writeLock();
    }

    /** Inserts an element before another. */
    void insert(long element, byte[] bytes, int length, boolean isOverflow) {
        find(element);
        index.raise(ListSegmentLayout.VERSION);
        if (spot.count() == SEGMENT && !toRoomBefore()) {
            split(bytes, length, isOverflow);
            return;
        }
        int before = load(spot, segment);
        segment.insert(spot.at, bytes, 0, length, isOverflow);
        long revision = revising.writeLock();
        long stamp = beginShift();
        try {
            store(spot.number(), segment, before);
            tree.change(spot, 1);
            addToSize(1);
        } finally {
            shifting.unlockWrite(stamp);
            revising.unlockWrite(revision);
        }
    }

    /** Moves the spot from the front of a segment to the end of the segment before, if there is room. */
    private boolean toRoomBefore() {
        other.set(spot);
        boolean hasRoom = spot.at == 0 && other.toPrevious() && other.count() < SEGMENT;
        if (hasRoom) {
            spot.set(other);
            spot.at = spot.count();
        }
        return hasRoom;
    }

    /** Splits the full segment of the spot, and inserts an element at the spot. */
    private void split(byte[] bytes, int length, boolean isOverflow) {
        int at = spot.at;
        int kept = at == 0 ? 0 : SEGMENT / 2;
        int number = numbers.take();
        long count = Math.max(numbers.count(), number + 1L);
        int stored = 0;
        boolean done = false;
        try {
            if (number == numbers.count()) {
                other.findEnd(tree.root());
                link(other.number(), ListSegmentLayout.LAST, count);    // else it would be followed by the new number
            }
            int before = load(spot, segment);
            neighbour.clear();
            neighbour.appendFrom(segment, kept);
            neighbour.setNext(segment.next(spot.number(), count), number, count);
            segment.truncate(kept);
            segment.setNext(number, spot.number(), count);
            SegmentBytes target = at < kept || kept == 0 ? segment : neighbour;
            target.insert(target == segment ? at : at - kept, bytes, 0, length, isOverflow);
            stored = storeNew(number, neighbour);
            numbers.publish(number);
            publishSplit(number, before, at, kept, target == neighbour);
            done = true;
        } finally {
            if (!done) {
                withdraw(number, stored);
            }
        }
    }

    private void publishSplit(int number, int before, int at, int kept, boolean isBehind) {
        long revision = revising.writeLock();
        long stamp = beginShift();
        try {
            store(spot.number(), segment, before);
            spot.at = kept;
            tree.split(spot, number);
            if (!isBehind) {
                spot.toPrevious();
            }
            spot.at = isBehind ? at - kept : at;
            tree.change(spot, 1);
            addToSize(1);
        } finally {
            shifting.unlockWrite(stamp);
            revising.unlockWrite(revision);
        }
    }

    /** Removes an element. */
    void remove(long element) {
        find(element);
        index.raise(ListSegmentLayout.VERSION);
        int before = load(spot, segment);
        long oldOverflow = segment.overflowCid(spot.at);
        segment.remove(spot.at);
        long revision = revising.writeLock();
        long stamp = beginShift();
        try {
            store(spot.number(), segment, before);
            tree.change(spot, -1);
            addToSize(-1);
        } finally {
            shifting.unlockWrite(stamp);
            revising.unlockWrite(revision);
        }
        removeOverflow(oldOverflow);
        joinIfSparse();
    }

    private void joinIfSparse() {
        int count = spot.count();
        if (size == 0) {
            reset();
        } else if (count <= SPARSE && count % JOIN_STEP == 0) {
            other.set(spot);
            if (other.toPrevious() && count + other.count() <= (count == 0 ? SEGMENT : JOINED_MAX)) {
                join(other, spot);
            } else {
                other.set(spot);
                if (other.toNext() && count + other.count() <= JOINED_MAX) {
                    join(spot, other);
                }
            }
        }
    }

    /** Moves the elements of a segment to the end of the segment before, if there is memory for them. */
    private void join(ListSpot left, ListSpot right) {
        int leftBefore = load(left, segment);
        int rightBefore = load(right, neighbour);
        int number = right.number();
        int next = neighbour.next(number, numbers.count());
        // the end of a list without links: the lower count will be the end
        boolean isCut = neighbour.count() == 0 && next == ListSegmentLayout.LAST && number == numbers.count() - 1;
        if (!isCut) {
            segment.appendFrom(neighbour, 0);
            segment.setNext(next, left.number(), numbers.count());
        }
        long stamp = beginShift();
        try {
            if (!isCut && tryStore(left.number(), segment, leftBefore) == NO_MEMORY) {
                return;
            }
            tree.join(left, right);
        } finally {
            shifting.unlockWrite(stamp);
        }
        release(number, rightBefore);
    }

    /** Removes all elements. After each step, the segments at the end are empty. */
    void clear() {
        while (size > 0) {
            find(size - 1);
            int before = load(spot, segment);
            int count = segment.count();
            long[] overflows = new long[count];
            for (int at = 0; at < count; at++) {
                overflows[at] = segment.overflowCid(at);
            }
            segment.truncate(0);
            spot.at = 0;
            long revision = revising.writeLock();
            long stamp = beginShift();
            try {
                store(spot.number(), segment, before);
                tree.change(spot, -count);
                addToSize(-count);
            } finally {
                shifting.unlockWrite(stamp);
                revising.unlockWrite(revision);
            }
            for (long cid : overflows) {
                removeOverflow(cid);
            }
            if (size > 0) {
                chunks.endGroup();
            }
        }
        reset();
    }

    /** Removes the segments, all of which are empty. */
    private void reset() {
        long stamp = beginShift();
        try {
            tree.clear();
        } finally {
            shifting.unlockWrite(stamp);
        }
        numbers.clear();
        memoryBytes.set(0);
    }

    // ---- whole list ----

    /** Gets the segments in their order. */
    private interface Visitor {
        void visit(int number, SegmentBytes loaded);
    }

    /** Follows the links from the first segment; returns the bytes of memory of all chunks. */
    private long follow(BitSet seen, Visitor visitor) {
        long bytes = 0;
        int number = numbers.count() == 0 ? ListSegmentLayout.LAST : 0;
        while (number != ListSegmentLayout.LAST) {
            if (seen.get(number)) {
                throw ChunkIndex.damaged(chunks, index.cidOf(number), "follows two segments of a list");
            }
            seen.set(number);
            bytes += chunks.takenBytes(load(number, segment));
            for (int at = 0; at < segment.count(); at++) {
                bytes += segment.isOverflow(at) ? overflow.takenBytes(segment.overflowCid(at)) : 0;
            }
            visitor.visit(number, segment);
            number = segment.next(number, numbers.count());
        }
        int unused = seen.nextClearBit(0);
        for (; unused < numbers.count(); unused = seen.nextClearBit(unused + 1)) {
            bytes += chunks.takenBytes(countedBytes(unused));
        }
        return bytes;
    }

    /** Makes the tree when the list is opened. Numbers that no link shows are free. */
    void open() {
        BitSet seen = new BitSet();
        memoryBytes.set(follow(seen, (number, loaded) -> {
            tree.append(spot, number);
            tree.changeLast(spot, loaded.count());
            addToSize(loaded.count());
        }));
        for (int number = seen.nextClearBit(0); number < numbers.count(); number = seen.nextClearBit(number + 1)) {
            numbers.give(number);
        }
    }

    /** Compares the segments, in the order of their links, with the tree, the free numbers and the counts. */
    void audit() {
        BitSet seen = new BitSet();
        boolean[] hasMore = {other.findFirst(tree.root())};
        long bytes = follow(seen, (number, loaded) -> {
            if (!hasMore[0] || other.number() != number || other.count() != loaded.count()) {
                throw ChunkIndex.damaged(chunks, index.cidOf(number), "is not the segment that follows");
            }
            hasMore[0] = other.toNext();
        });
        String wrong = tree.audit();
        if (wrong == null && (hasMore[0] || tree.root().size() != size)) {
            wrong = "the links show other segments than the tree, with " + size + " elements";
        }
        if (wrong == null && seen.cardinality() + numbers.freeCount() != numbers.count()) {
            wrong = seen.cardinality() + " segments and " + numbers.freeCount() + " free numbers are not "
                + numbers.count();
        }
        if (wrong == null && bytes != memoryBytes.get()) {
            wrong = "chunks of " + bytes + " bytes are counted as " + memoryBytes.get();
        }
        if (wrong != null) {
            throw ChunkIndex.damaged(chunks, index.root(), "is damaged: " + wrong);
        }
    }
}
