package io.teff.engine.sequence;

import io.teff.engine.error.Status;
import io.teff.engine.lock.StripeWord;
import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.Memory;
import io.teff.engine.memory.Words;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CodecBuffers;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.CollectionState;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The chunks of a queue ({@link QueueLayout}): its root and the chain of its segments, and the operations on records.
 *
 * <p>A record is added at the moment in which the segment's end offset moves, and removed when the from offset moves;
 * each is one operation of the engine. The caller holds the lock of adders or the lock of takers. If adders and takers
 * work on the same segment, the segment's stripe separates them.
 */
final class QueueChain {
    /** Result: there is no record. */
    static final int NONE = -1;

    private static final int ATTEMPTS = 100;

    private final CollectionChunks chunks;
    private final Memory memory;
    private final OverflowElements overflow;
    private final CollectionState state;
    private final long root;
    private final Table entries;
    private final long creator;
    private final Words words;
    private final long stripesStart;
    private final long stripesMask;
    /** Numbers of records that were added and that were removed, each written under one of the locks. */
    private final AtomicLong added = new AtomicLong();
    private final AtomicLong removed = new AtomicLong();
    private final AtomicLong memoryBytes = new AtomicLong();
    /** First segment. Changed under the lock of takers; read by walks. */
    private volatile long first;
    /** Last segment. Guarded by the lock of adders. */
    private long last;
    /** Offset of the record that was added last, in the last segment. Guarded by the lock of adders. */
    private int addedAt;

    private QueueChain(CollectionChunks chunks, long root) {
        this.chunks = chunks;
        this.memory = chunks.memory();
        this.overflow = new OverflowElements(chunks);
        this.state = new CollectionState(chunks.stripes());
        this.root = root;
        this.entries = chunks.table();
        this.creator = CidLayout.creator(entries.nid());
        this.words = chunks.stripes().words();
        this.stripesStart = words.start();
        this.stripesMask = chunks.stripes().mask();
    }

    /** Creates the chunks of an empty queue. */
    static QueueChain make(CollectionChunks chunks) {
        long root = chunks.create(new byte[QueueLayout.ROOT_BYTES], 0, QueueLayout.ROOT_BYTES);
        boolean done = false;
        try {
            QueueChain chain = new QueueChain(chunks, root);
            chain.last = chain.newSegment();
            chain.first = chain.last;
            chain.set(root, QueueLayout.HEAD_AT, QueueLayout.HEAD);
            chain.set(root, QueueLayout.FIRST_AT, chain.first);
            chain.set(root, QueueLayout.LAST_AT, chain.last);
            chain.memoryBytes.addAndGet(chain.overflow.takenBytes(root));
            done = true;
            return chain;
        } finally {
            if (!done) {
                chunks.remove(root);
            }
        }
    }

    /** Opens and counts the chunks of an existing queue. */
    static QueueChain open(CollectionChunks chunks, long root) {
        QueueChain chain = new QueueChain(chunks, root);
        if (chunks.size(root) != QueueLayout.ROOT_BYTES || chain.get(root, QueueLayout.HEAD_AT) != QueueLayout.HEAD) {
            throw ChunkIndex.damaged(chunks, root, "is not a root of a queue of version " + QueueLayout.VERSION);
        }
        chain.first = chain.get(root, QueueLayout.FIRST_AT);
        Sums sums = chain.sums();
        chain.last = sums.last;
        chain.added.set(sums.records);
        chain.memoryBytes.set(sums.memoryBytes);
        return chain;
    }

    CollectionChunks chunks() {
        return chunks;
    }

    OverflowElements overflow() {
        return overflow;
    }

    CollectionState state() {
        return state;
    }

    long root() {
        return root;
    }

    /** Returns the first segment. */
    long first() {
        return first;
    }

    /**
     * Returns the number of records that are not removed. The number is exact at the moment in which the number of
     * added records is read: the number of removed records, which only rises, is equal before and after.
     *
     * @return the number, or {@link #NONE} if other threads remove records all the time; under the lock of takers, the
     *     number
     */
    long count() {
        long before = removed.get();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            final long sum = added.get();
            final long now = removed.get();
            if (now == before) {
                return sum - now;
            }
            before = now;
        }
        return NONE;
    }

    /** Adds to a counter of which the caller holds the lock; visible to others before the lock is free. */
    private static void increment(AtomicLong counter) {
        counter.setRelease(counter.getPlain() + 1);
    }

    long memoryBytes() {
        return memoryBytes.get();
    }

    private long get(long cid, int at) {
        long word = chunks.enter(cid);
        try {
            return memory.getFieldLong(EntryWord.address(word) + at);
        } finally {
            chunks.leave(cid);
        }
    }

    private void set(long cid, int at, long value) {
        long word = chunks.enter(cid);
        try {
            chunks.touch(cid);
            memory.putFieldLong(EntryWord.address(word) + at, value);
        } finally {
            chunks.leave(cid);
        }
    }

    private long newSegment() {
        long cid = chunks.create(QueueBytes.empty(), 0, QueueLayout.SEGMENT_BYTES);
        memoryBytes.addAndGet(overflow.takenBytes(cid));
        return cid;
    }

    // ---- add, under the lock of adders ----

    /** Adds a record at the end. If its bytes are a link, the chunk belongs to the queue from now on. */
    void add(byte[] bytes, int length, int record) {
        long overflowBytes = QueueLayout.isOverflow(record) ? overflow.takenBytes(OverflowElements.link(bytes, 0)) : 0;
        if (!addTo(last, bytes, length, record)) {
            last = addBehind(last, bytes, length, record);
        }
        increment(added);
        if (overflowBytes != 0) {
            memoryBytes.addAndGet(overflowBytes);
        }
    }

    /** Returns the segment of the record that was added last. */
    long addedSegment() {
        return last;
    }

    /** Returns the offset of the record that was added last. */
    int addedAt() {
        return addedAt;
    }

    /** Adds a record in a new segment. The last step publishes the segment by a link from the segment before. */
    private long addBehind(long before, byte[] bytes, int length, int record) {
        long next = newSegment();
        boolean isLinked = false;
        try {
            boolean fits = addTo(next, bytes, length, record);
            assert fits : length;
            set(root, QueueLayout.LAST_AT, next);
            set(before, QueueLayout.NEXT_AT, next);
            isLinked = true;
            return next;
        } finally {
            if (!isLinked) {
                memoryBytes.addAndGet(-overflow.takenBytes(next));
                chunks.remove(next);
            }
        }
    }

    /** Appends a record to a segment; returns false if it does not fit. */
    private boolean addTo(long segment, byte[] bytes, int length, int record) {
        long word = chunks.enter(segment);
        try {
            long address = EntryWord.address(word);
            int end = memory.getFieldInt(address + QueueLayout.END_AT);
            if (end + QueueLayout.RECORD_BYTES + length > QueueLayout.SEGMENT_BYTES) {
                return false;
            }
            chunks.touch(segment);
            memory.putFieldShort(address + end, (short) record);
            if (length > 0) {
                memory.copyIn(bytes, 0, address + end + QueueLayout.RECORD_BYTES, length);
            }
            memory.putFieldInt(address + QueueLayout.END_AT, end + QueueLayout.RECORD_BYTES + length);
            addedAt = end;
            return true;
        } finally {
            chunks.leave(segment);
        }
    }

    // ---- peek, take and remove, under the lock of takers ----

    /**
     * Copies the bytes of the first record to the buffers, without a change: empty segments and removed records in
     * front of it stay. No thread adds to a segment with a next segment, so a passed empty segment stays empty.
     *
     * @return the record, or {@link #NONE}
     */
    int peek(CodecBuffers buffers) {
        long next;
        for (long segment = first; segment != 0; segment = next) {
            long word = chunks.enter(segment);
            try {
                long address = EntryWord.address(word);
                int at = firstIn(address);
                if (at != NONE) {
                    return copyOut(address, at, buffers);
                }
                next = memory.getFieldLong(address + QueueLayout.NEXT_AT);
            } finally {
                chunks.leave(segment);
            }
        }
        return NONE;
    }

    /**
     * Copies the bytes of the first record to the buffers, after passing empty segments and removed records. The record
     * stays, until {@link #passFirst} moves behind it.
     *
     * @return the record, or {@link #NONE}
     */
    int find(CodecBuffers buffers) {
        final int record = findAtOnce(buffers);
        return record != NONE ? record : findSlow(buffers);
    }

    /**
     * Finds like {@link #find} if the first record is in the first segment and not removed: reads the segment like any
     * reader of a chunk, without entering its stripe. The lock of takers is held, so only adders change the segment.
     */
    private int findAtOnce(CodecBuffers buffers) {
        final long segment = first;
        final long place = Stripes.place(stripesStart, stripesMask, segment);
        final long begun = Stripes.word(words, place);
        final long page = entries.nearPage(segment);
        if (!Table.isPage(page) || !StripeWord.readable(begun)) {
            return NONE;
        }
        final long word = Memory.getLongThenFence(memory, Table.entryIn(page, segment));
        if (!EntryWord.isReadable(word, segment, creator) || EntryWord.length(word) != QueueLayout.SEGMENT_BYTES
            || !Stripes.isProven(words, place, begun)) {
            return NONE;
        }
        final long address = EntryWord.address(word);
        final int from = memory.getFieldInt(address + QueueLayout.FROM_AT);
        final int end = memory.getFieldInt(address + QueueLayout.END_AT);
        if (from < QueueLayout.RECORDS_AT || end > QueueLayout.SEGMENT_BYTES
            || from > end - QueueLayout.RECORD_BYTES) {
            return NONE;                                        // no record, or torn
        }
        final int record = memory.getFieldShort(address + from) & 0xFFFF;
        final int length = QueueLayout.length(record);
        if ((record & QueueLayout.REMOVED) != 0 || behind(from, record) > end || length > buffers.bytes().length) {
            return NONE;
        }
        if (length > 0) {
            memory.copyOut(address + from + QueueLayout.RECORD_BYTES, buffers.bytes(), 0, length);
        }
        return Stripes.isStill(words, place, begun) ? record : NONE;
    }

    private int findSlow(CodecBuffers buffers) {
        for (;;) {
            long segment = first;
            long next;
            long word = chunks.enter(segment);
            try {
                long address = EntryWord.address(word);
                int at = pass(segment, address);
                if (at != NONE) {
                    return copyOut(address, at, buffers);
                }
                next = memory.getFieldLong(address + QueueLayout.NEXT_AT);
            } finally {
                chunks.leave(segment);
            }
            if (next == 0) {
                return NONE;
            }
            unlink(segment, next);
        }
    }

    /**
     * Moves behind the record that {@link #find} has returned. If it has a link, the chunk was removed already, and had
     * {@code overflowBytes} bytes.
     */
    void passFirst(long overflowBytes) {
        long segment = first;
        long word = chunks.enter(segment);
        try {
            long address = EntryWord.address(word);
            int at = firstIn(address);
            moveTo(segment, address, behind(at, memory.getFieldShort(address + at) & 0xFFFF));
        } finally {
            chunks.leave(segment);
        }
        increment(removed);
        if (overflowBytes != 0) {
            memoryBytes.addAndGet(-overflowBytes);
        }
    }

    /** Returns whether a record that was not taken begins at a place, which may be anywhere. */
    boolean isRecord(long segment, int at) {
        final QueueBytes copy = new QueueBytes();
        int next = copy.copy(chunks, segment) ? copy.from() : at + 1;
        while (next < at && next < copy.end()) {
            next += QueueLayout.RECORD_BYTES + QueueLayout.length(copy.record(next));
        }
        return next == at && at < copy.end();
    }

    /** Marks a record as removed, wherever it is; returns false if it was taken or removed before. */
    boolean mark(long segment, int at) {
        long word = chunks.enterToRead(segment);                 // unlike enter, reports a missing segment
        if (word == Status.ABSENT) {
            return false;
        }
        long link = 0;
        try {
            long address = EntryWord.address(word);
            int record = memory.getFieldShort(address + at) & 0xFFFF;
            if (at < memory.getFieldInt(address + QueueLayout.FROM_AT) || (record & QueueLayout.REMOVED) != 0) {
                return false;
            }
            chunks.touch(segment);
            memory.putFieldShort(address + at, (short) (record | QueueLayout.REMOVED));
            if (QueueLayout.isOverflow(record)) {
                link = memory.getFieldLong(address + at + QueueLayout.RECORD_BYTES);
            }
        } finally {
            chunks.leave(segment);
        }
        increment(removed);
        if (link != 0) {
            memoryBytes.addAndGet(-overflow.takenBytes(link));
            chunks.remove(link);
        }
        if (segment == first) {
            passRemoved();
        }
        return true;
    }

    /** Moves behind the removed records at the front, so that later peeks need not pass them again. */
    private void passRemoved() {
        for (;;) {
            long segment = first;
            long next;
            long word = chunks.enter(segment);
            try {
                long address = EntryWord.address(word);
                next = pass(segment, address) == NONE ? memory.getFieldLong(address + QueueLayout.NEXT_AT) : 0;
            } finally {
                chunks.leave(segment);
            }
            if (next == 0) {
                return;
            }
            unlink(segment, next);
        }
    }

    /** Removes the first segment, which is empty, from the chain. */
    private void unlink(long segment, long next) {
        set(root, QueueLayout.FIRST_AT, next);
        first = next;
        memoryBytes.addAndGet(-overflow.takenBytes(segment));
        chunks.remove(segment);
    }

    // ---- inside a segment's stripe ----

    /** Returns the offset of the first record that is not removed, or {@link #NONE}. */
    private int firstIn(long address) {
        int end = memory.getFieldInt(address + QueueLayout.END_AT);
        int at = memory.getFieldInt(address + QueueLayout.FROM_AT);
        while (at < end) {
            int record = memory.getFieldShort(address + at) & 0xFFFF;
            if ((record & QueueLayout.REMOVED) == 0) {
                return at;
            }
            at = behind(at, record);
        }
        return NONE;
    }

    /**
     * Moves the from offset to the first record that is not removed, or to the end; returns it like {@link #firstIn}.
     */
    private int pass(long segment, long address) {
        int found = firstIn(address);
        int at = found == NONE ? memory.getFieldInt(address + QueueLayout.END_AT) : found;
        if (at != memory.getFieldInt(address + QueueLayout.FROM_AT)) {
            moveTo(segment, address, at);
        }
        return found;
    }

    private static int behind(int at, int record) {
        return at + QueueLayout.RECORD_BYTES + QueueLayout.length(record);
    }

    private void moveTo(long segment, long address, int from) {
        chunks.touch(segment);
        memory.putFieldInt(address + QueueLayout.FROM_AT, from);
    }

    /** Copies the bytes of a record to the buffers; returns the record. */
    private int copyOut(long address, int at, CodecBuffers buffers) {
        int record = memory.getFieldShort(address + at) & 0xFFFF;
        int length = QueueLayout.length(record);
        if (length > 0) {
            memory.copyOut(address + at + QueueLayout.RECORD_BYTES, buffers.bytes(), 0, length);
        }
        return record;
    }

    // ---- whole queue, under both locks ----

    /** Sums over a queue. */
    private record Sums(long records, long memoryBytes, long last) {}

    /** Counts all segments. A cycle in the chain is detected by meeting a marked segment again. */
    private Sums sums() {
        long records = 0;
        long memorySum = overflow.takenBytes(root);
        long segment = 0;
        long marked = 0;
        long steps = 0;
        QueueBytes copy = new QueueBytes();
        for (long next = first; next != 0; next = copy.next()) {
            segment = next;
            if (segment == marked || !copy.copy(chunks, segment)) {
                throw ChunkIndex.damaged(chunks, segment, "is not a segment of a queue, or twice in it");
            }
            if (Long.bitCount(++steps) == 1) {                  // Brent 1980: detects every cycle
                marked = segment;
            }
            memorySum += overflow.takenBytes(segment);
            for (int at = copy.from(); at < copy.end(); ) {
                int record = copy.record(at);
                int from = at + QueueLayout.RECORD_BYTES;
                if ((record & QueueLayout.REMOVED) == 0) {
                    records++;
                    if (QueueLayout.isOverflow(record)) {
                        memorySum += overflow.takenBytes(OverflowElements.link(copy.bytes(), from));
                    }
                }
                at = from + QueueLayout.length(record);
            }
        }
        return new Sums(records, memorySum, segment);
    }

    void audit() {
        Sums sums = sums();
        if (sums.records != count() || sums.memoryBytes != memoryBytes.get() || sums.last != last) {
            throw ChunkIndex.damaged(chunks, root, "has " + sums.records + " elements in " + sums.memoryBytes
                + " bytes, not " + count() + " in " + memoryBytes.get());
        }
    }

    /** Removes all chunks of an empty queue. */
    void remove() {
        QueueBytes copy = new QueueBytes();
        for (long segment = first; segment != 0; segment = copy.next()) {
            if (!copy.copy(chunks, segment)) {
                throw ChunkIndex.damaged(chunks, segment, "is not a segment of a queue");
            }
            chunks.remove(segment);
        }
        chunks.remove(root);
    }
}
