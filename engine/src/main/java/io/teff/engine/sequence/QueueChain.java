package io.teff.engine.sequence;

import io.teff.engine.error.Status;
import io.teff.engine.memory.Memory;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CodecBuffers;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.CollectionState;
import io.teff.engine.table.EntryWord;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The chunks of a queue ({@link QueueLayout}): its root and the chain of its segments, and what is done to records.
 *
 * <p>A record is there from the moment in which the segment's end is moved, and gone when its from is: each one
 * operation of the engine. The caller has the lock of those who add, or of those who take; where both are at the same
 * segment, its stripe keeps them apart.
 */
final class QueueChain {
    /** There is no record. */
    static final int NONE = -1;

    private final CollectionChunks chunks;
    private final Memory memory;
    private final OverflowElements overflow;
    private final CollectionState state;
    private final long root;
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong memoryBytes = new AtomicLong();
    /** Changed by who takes; read by walks. */
    private volatile long first;
    /** Of those who add. */
    private long last;

    private QueueChain(CollectionChunks chunks, long root) {
        this.chunks = chunks;
        this.memory = chunks.memory();
        this.overflow = new OverflowElements(chunks);
        this.state = new CollectionState(chunks.stripes());
        this.root = root;
    }

    /** Makes the chunks of an empty queue. */
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

    /** Opens those that are in the store, and counts what they have. */
    static QueueChain open(CollectionChunks chunks, long root) {
        QueueChain chain = new QueueChain(chunks, root);
        if (chunks.size(root) != QueueLayout.ROOT_BYTES || chain.get(root, QueueLayout.HEAD_AT) != QueueLayout.HEAD) {
            throw ChunkIndex.damaged(chunks, root, "is no root of a queue of version " + QueueLayout.VERSION);
        }
        chain.first = chain.get(root, QueueLayout.FIRST_AT);
        Sums sums = chain.sums();
        chain.last = sums.last;
        chain.count.set(sums.records);
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

    /** The first segment. */
    long first() {
        return first;
    }

    /** Records that are not removed. */
    long count() {
        return count.get();
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

    // ---- add, under the lock of those who do ----

    /** Adds a record at the end; its bytes may be a link to a chunk, which belongs to the queue from now on. */
    void add(byte[] bytes, int length, int record) {
        long overflowBytes = QueueLayout.isOverflow(record) ? overflow.takenBytes(OverflowElements.link(bytes, 0)) : 0;
        if (!addTo(last, bytes, length, record)) {
            last = addBehind(last, bytes, length, record);
        }
        count.incrementAndGet();
        memoryBytes.addAndGet(overflowBytes);
    }

    /** Adds a record in a new segment, which is there when the one before it names it: the last step. */
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

    /** False if there is no room in the segment. */
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
            return true;
        } finally {
            chunks.leave(segment);
        }
    }

    // ---- look, take and remove, under the lock of those who take ----

    /**
     * Copies the bytes of the first record to the scratch, and changes nothing: emptied segments and removed records in
     * front of it stay. Nobody adds to a segment that has a next, so one that was looked at stays empty.
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
     * Copies the bytes of the first record to the scratch, and moves behind it, unless it links to a chunk: that is to
     * be removed first, as it can be locked, and then {@link #passOverflow} moves.
     *
     * @return the record, or {@link #NONE}
     */
    int take(CodecBuffers buffers) {
        int record = NONE;
        while (record == NONE) {
            long segment = first;
            long next;
            long word = chunks.enter(segment);
            try {
                long address = EntryWord.address(word);
                int at = pass(segment, address);
                if (at != NONE) {
                    record = copyOut(address, at, buffers);
                    if (QueueLayout.isOverflow(record)) {
                        return record;
                    }
                    moveTo(segment, address, behind(at, record));
                }
                next = memory.getFieldLong(address + QueueLayout.NEXT_AT);
            } finally {
                chunks.leave(segment);
            }
            if (record == NONE) {
                if (next == 0) {
                    return NONE;
                }
                unlink(segment, next);
            }
        }
        count.decrementAndGet();
        return record;
    }

    /** Moves behind the record that {@link #take} has returned, whose chunk of so many bytes is removed. */
    void passOverflow(long overflowBytes) {
        long segment = first;
        long word = chunks.enter(segment);
        try {
            long address = EntryWord.address(word);
            int at = firstIn(address);
            moveTo(segment, address, behind(at, memory.getFieldShort(address + at) & 0xFFFF));
        } finally {
            chunks.leave(segment);
        }
        count.decrementAndGet();
        memoryBytes.addAndGet(-overflowBytes);
    }

    /** Marks a record as removed, wherever it is; false if it was taken or removed before. */
    boolean mark(long segment, int at) {
        long word = chunks.enterToRead(segment);                 // unlike enter, it says that the segment is gone
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
        count.decrementAndGet();
        if (link != 0) {
            memoryBytes.addAndGet(-overflow.takenBytes(link));
            chunks.remove(link);
        }
        if (segment == first) {
            passRemoved();
        }
        return true;
    }

    /** Moves behind the removed records at the front, so that who looks does not pass them again and again. */
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

    /** Lets the first segment go, which has no records any more. */
    private void unlink(long segment, long next) {
        set(root, QueueLayout.FIRST_AT, next);
        first = next;
        memoryBytes.addAndGet(-overflow.takenBytes(segment));
        chunks.remove(segment);
    }

    // ---- the same, inside of a segment's stripe ----

    /** Where the first record is that was not removed, or {@link #NONE}. */
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

    /** The same, and moves there, or to the end. */
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

    /** Copies a record's bytes to the scratch; returns the record. */
    private int copyOut(long address, int at, CodecBuffers buffers) {
        int record = memory.getFieldShort(address + at) & 0xFFFF;
        int length = QueueLayout.length(record);
        if (length > 0) {
            memory.copyOut(address + at + QueueLayout.RECORD_BYTES, buffers.bytes(), 0, length);
        }
        return record;
    }

    // ---- all of it, under both locks ----

    /** What a queue has. */
    private record Sums(long records, long memoryBytes, long last) {}

    /** Counts everything. A chain that leads back to itself is found out by meeting a segment that was marked. */
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
                throw ChunkIndex.damaged(chunks, segment, "is no segment of a queue, or twice in it");
            }
            if (Long.bitCount(++steps) == 1) {                  // Brent 1980: so every cycle is met
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
        if (sums.records != count.get() || sums.memoryBytes != memoryBytes.get() || sums.last != last) {
            throw ChunkIndex.damaged(chunks, root, "has " + sums.records + " elements in " + sums.memoryBytes
                + " bytes, not " + count.get() + " in " + memoryBytes.get());
        }
    }

    /** Removes all chunks of an empty queue. */
    void remove() {
        QueueBytes copy = new QueueBytes();
        for (long segment = first; segment != 0; segment = copy.next()) {
            if (!copy.copy(chunks, segment)) {
                throw ChunkIndex.damaged(chunks, segment, "is no segment of a queue");
            }
            chunks.remove(segment);
        }
        chunks.remove(root);
    }
}
