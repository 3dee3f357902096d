package io.teff.engine.sequence;

import io.teff.engine.codec.Codec;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.error.Status;
import io.teff.engine.memory.ArrayBytes;
import io.teff.engine.memory.Memory;
import io.teff.engine.node.NodeIndex;
import io.teff.engine.node.Nodes;
import io.teff.engine.node.Rooted;
import io.teff.engine.node.Scratch;
import io.teff.engine.node.Spares;
import io.teff.engine.table.EntryWord;
import java.util.AbstractQueue;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The queue ({@link QueueLayout}). Who adds holds the lock of the last segment, who takes that of the first (the two
 * locks of Michael and Scott 1996); where both are the same segment, its stripe keeps them apart. An element is there
 * from the moment in which the segment's end is moved, and gone when its from is: each one operation of the engine.
 *
 * @param <E> type of the elements
 */
public final class ChunkFifo<E> extends AbstractQueue<E> implements ChunkQueue<E>, Rooted {
    private final Nodes nodes;
    private final Memory memory;
    private final Codec<E> codec;
    private final long root;
    private final Spares<Scratch> spares = new Spares<>(Scratch::new, Scratch::isKept);
    private final ReentrantLock adding = new ReentrantLock();
    private final ReentrantLock taking = new ReentrantLock();
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong memoryBytes = new AtomicLong();
    /** Guarded by taking; read by walks. */
    private volatile long first;
    /** Guarded by adding. */
    private long last;
    private volatile boolean dropped;

    private ChunkFifo(Nodes nodes, Codec<E> codec, long root) {
        this.nodes = nodes;
        this.memory = nodes.memory();
        this.codec = codec;
        this.root = root;
    }

    /**
     * Makes an empty queue.
     *
     * @param <E> type of the elements
     * @param nodes the store
     * @param codec of the elements
     * @return the queue
     */
    public static <E> ChunkFifo<E> make(Nodes nodes, Codec<E> codec) {
        byte[] bytes = new byte[QueueLayout.ROOT_BYTES];
        putLong(bytes, 0, QueueLayout.HEAD);
        long root = nodes.create(bytes, 0, bytes.length);
        boolean done = false;
        try {
            ChunkFifo<E> queue = new ChunkFifo<>(nodes, codec, root);
            queue.last = queue.newSegment();
            queue.first = queue.last;
            queue.setLong(root, QueueLayout.FIRST_AT, queue.first);
            queue.setLong(root, QueueLayout.LAST_AT, queue.last);
            queue.count(root);
            done = true;
            return queue;
        } finally {
            if (!done) {
                nodes.remove(root);
            }
        }
    }

    /**
     * Opens a queue that is in the store.
     *
     * @param <E> type of the elements
     * @param nodes the store
     * @param cid the CID of its root
     * @param codec of the elements
     * @return the queue
     */
    public static <E> ChunkFifo<E> open(Nodes nodes, long cid, Codec<E> codec) {
        byte[] bytes = new byte[QueueLayout.ROOT_BYTES];
        if (nodes.get(cid, bytes) != bytes.length || getLong(bytes, 0) != QueueLayout.HEAD) {
            throw NodeIndex.damaged(nodes, cid, "is no root of a queue of version " + QueueLayout.VERSION);
        }
        ChunkFifo<E> queue = new ChunkFifo<>(nodes, codec, cid);
        queue.first = getLong(bytes, QueueLayout.FIRST_AT);
        Sums sums = queue.sums();
        queue.last = sums.last;
        queue.count.set(sums.elements);
        queue.memoryBytes.set(sums.memoryBytes);
        return queue;
    }

    /** What a queue has. */
    private record Sums(long elements, long memoryBytes, long last) {}

    /** Counts everything, while nobody changes it. */
    private Sums sums() {
        long elements = 0;
        long memorySum = takenBytes(root);
        long segment = 0;
        Walk walk = new Walk();
        for (boolean more = true; more; ) {
            more = walk.step();
            if (more) {
                elements++;
                memorySum += walk.takenOutside();
            }
            while (segment != walk.segment) {                   // also those that have no element
                segment = segment == 0 ? first : next(segment);
                memorySum += takenBytes(segment);
            }
        }
        return new Sums(elements, memorySum, walk.segment);
    }

    private long takenBytes(long cid) {
        long size = nodes.size(cid);
        if (size == Status.ABSENT) {
            throw NodeIndex.damaged(nodes, cid, "is gone");
        }
        return nodes.takenBytes(size) + Long.BYTES;
    }

    private long next(long segment) {
        byte[] bytes = new byte[QueueLayout.SEGMENT_BYTES];
        nodes.get(segment, bytes);
        return getLong(bytes, QueueLayout.NEXT_AT);
    }

    private static void putLong(byte[] bytes, int at, long value) {
        ArrayBytes.copyOut(new long[] {value}, 0, 1, bytes, at);
    }

    private static long getLong(byte[] bytes, int at) {
        long[] value = new long[1];
        ArrayBytes.copyIn(bytes, at, value, 0, 1);
        return value[0];
    }

    private void setLong(long cid, int at, long value) {
        long word = nodes.enter(cid);
        try {
            memory.putFieldLong(EntryWord.address(word) + at, value);
        } finally {
            nodes.leave(cid);
        }
    }

    private long newSegment() {
        byte[] bytes = new byte[QueueLayout.SEGMENT_BYTES];
        int[] ends = {QueueLayout.RECORDS_AT, QueueLayout.RECORDS_AT};
        ArrayBytes.copyOut(ends, 0, ends.length, bytes, QueueLayout.FROM_AT);
        long cid = nodes.create(bytes, 0, bytes.length);
        count(cid);
        return cid;
    }

    /** Counts the memory of a chunk that is there. */
    private void count(long cid) {
        memoryBytes.addAndGet(takenBytes(cid));
    }

    private void remove(long cid) {
        memoryBytes.addAndGet(-takenBytes(cid));
        nodes.remove(cid);
    }

    private void checkNotDropped() {
        if (dropped) {
            throw new IllegalStateException("the collection was dropped");
        }
    }

    // ---- add ----

    @Override
    public boolean offer(E element) {
        Objects.requireNonNull(element);
        Scratch scratch = spares.take();
        try {
            scratch.out().clear();
            codec.write(element, scratch.out());
            int length = scratch.out().size();
            if (length <= QueueLayout.INSIDE_BYTES_MAX) {
                append(scratch.out().array(), length, length, 0);
            } else {
                appendOutside(scratch.out().array(), length);
            }
            return true;
        } finally {
            spares.give(scratch);
        }
    }

    private void appendOutside(byte[] bytes, int length) {
        long cid = nodes.create(bytes, 0, length);
        byte[] link = new byte[Long.BYTES];
        putLong(link, 0, cid);
        boolean done = false;
        try {
            append(link, Long.BYTES, Long.BYTES | QueueLayout.OUTSIDE, takenBytes(cid));
            done = true;
        } finally {
            if (!done) {
                nodes.remove(cid);
            }
        }
    }

    /** Adds a record, of an element that takes so many bytes outside. */
    private void append(byte[] bytes, int length, int record, long bytesOutside) {
        adding.lock();
        try {
            checkNotDropped();
            if (!appendTo(last, bytes, length, record)) {
                long next = newSegment();
                boolean fits = appendTo(next, bytes, length, record);
                assert fits : length;
                setLong(last, QueueLayout.NEXT_AT, next);
                last = next;
                setLong(root, QueueLayout.LAST_AT, next);
            }
            count.incrementAndGet();
            memoryBytes.addAndGet(bytesOutside);
        } finally {
            adding.unlock();
        }
        nodes.changed();
    }

    private boolean appendTo(long segment, byte[] bytes, int length, int record) {
        long word = nodes.enter(segment);
        try {
            long address = EntryWord.address(word);
            int end = memory.getFieldInt(address + QueueLayout.END_AT);
            if (end + QueueLayout.RECORD_BYTES + length > QueueLayout.SEGMENT_BYTES) {
                return false;
            }
            memory.putFieldShort(address + end, (short) record);
            if (length > 0) {
                memory.copyIn(bytes, 0, address + end + QueueLayout.RECORD_BYTES, length);
            }
            memory.putFieldInt(address + QueueLayout.END_AT, end + QueueLayout.RECORD_BYTES + length);
            return true;
        } finally {
            nodes.leave(segment);
        }
    }

    // ---- take ----

    @Override
    public @Nullable E poll() {
        Scratch scratch = spares.take();
        try {
            int record = take(scratch, true);
            return record < 0 ? null : taken(record, scratch);
        } finally {
            spares.give(scratch);
        }
    }

    @Override
    public @Nullable E peek() {
        Scratch scratch = spares.take();
        try {
            for (;;) {
                int record = take(scratch, false);
                E element = record < 0 ? null : read(record, scratch);
                if (record < 0 || element != null) {
                    return element;
                }                                               // else it lay outside and was taken: the next one
            }
        } finally {
            spares.give(scratch);
        }
    }

    /**
     * Copies the first record to the scratch, and moves behind it if it is to be removed; -1 if there is none. Its
     * chunk outside does not count any more then, and is to be removed.
     */
    private int take(Scratch scratch, boolean remove) {
        taking.lock();
        try {
            checkNotDropped();
            for (;;) {
                long segment = first;
                int record;
                long next;
                long word = nodes.enter(segment);
                try {
                    long address = EntryWord.address(word);
                    record = takeFrom(address, scratch, remove);
                    next = memory.getFieldLong(address + QueueLayout.NEXT_AT);
                } finally {
                    nodes.leave(segment);
                }
                if (record >= 0) {
                    if (remove && (record & QueueLayout.OUTSIDE) != 0) {
                        memoryBytes.addAndGet(-takenBytes(getLong(scratch.bytes(), 0)));
                    }
                    return record;
                }
                if (next == 0) {
                    return -1;
                }
                setLong(root, QueueLayout.FIRST_AT, next);
                first = next;
                remove(segment);
            }
        } finally {
            taking.unlock();
        }
    }

    /** The same in one segment; removed records are passed. */
    private int takeFrom(long address, Scratch scratch, boolean remove) {
        int from = memory.getFieldInt(address + QueueLayout.FROM_AT);
        int end = memory.getFieldInt(address + QueueLayout.END_AT);
        while (from < end) {
            int record = memory.getFieldShort(address + from) & 0xFFFF;
            int length = QueueLayout.length(record);
            int behind = from + QueueLayout.RECORD_BYTES + length;
            boolean removed = (record & QueueLayout.REMOVED) != 0;
            if (!removed && length > 0) {
                memory.copyOut(address + from + QueueLayout.RECORD_BYTES, scratch.bytes(), 0, length);
            }
            if (removed || remove) {
                memory.putFieldInt(address + QueueLayout.FROM_AT, behind);
            }
            if (!removed) {
                if (remove) {
                    count.decrementAndGet();
                }
                return record;
            }
            from = behind;
        }
        return -1;
    }

    /** The object of a record that is in the scratch and nobody else's; its chunk outside goes. */
    private E taken(int record, Scratch scratch) {
        long cid = (record & QueueLayout.OUTSIDE) != 0 ? getLong(scratch.bytes(), 0) : 0;
        try {
            E element = read(record, scratch);
            if (element == null) {
                throw NodeIndex.damaged(nodes, cid, "is gone");
            }
            return element;
        } finally {
            if (cid != 0) {                                     // also if the codec refuses its bytes
                nodes.remove(cid);
                nodes.changed();
            }
        }
    }

    /** The object of a record that is in the scratch, or null if it lay outside and is gone. */
    private @Nullable E read(int record, Scratch scratch) {
        return (record & QueueLayout.OUTSIDE) != 0 ? outside(getLong(scratch.bytes(), 0), scratch)
            : scratch.read(codec, scratch.bytes(), 0, QueueLayout.length(record));
    }

    private @Nullable E outside(long cid, Scratch scratch) {
        for (;;) {
            int length = nodes.get(cid, scratch.bytes());
            if (length == Status.ABSENT) {
                return null;
            }
            if (length != Status.TOO_SMALL) {
                return scratch.read(codec, scratch.bytes(), 0, length);
            }
            scratch.grow();
        }
    }

    // ---- walk ----

    /** A walk over copies of the segments. */
    private final class Walk {
        private final byte[] bytes = new byte[QueueLayout.SEGMENT_BYTES];
        private long segment;
        private int at;
        private int behind;
        private int end;

        Walk() {
            begin(first);
        }

        /** Copies a segment; if it is gone, all that was in it was taken, and what is first now comes next. */
        private void begin(long cid) {
            segment = cid;
            while (nodes.get(segment, bytes) != bytes.length) {
                checkNotDropped();
                if (segment == first && nodes.size(segment) != bytes.length && segment == first) {
                    throw NodeIndex.damaged(nodes, segment, "is no segment of a queue");
                }
                segment = first;
            }
            behind = intAt(QueueLayout.FROM_AT);
            end = intAt(QueueLayout.END_AT);
        }

        private int intAt(int place) {
            int[] value = new int[1];
            ArrayBytes.copyIn(bytes, place, value, 0, 1);
            return value[0];
        }

        private int recordAt(int place) {
            return bytes[place] & 0xFF | (bytes[place + 1] & 0xFF) << Byte.SIZE;
        }

        /** Goes to the next record that is not removed; false at the end, where {@link #segment} is the last one. */
        boolean step() {
            for (;;) {
                at = behind;
                if (at < end) {
                    int record = recordAt(at);
                    behind = at + QueueLayout.RECORD_BYTES + QueueLayout.length(record);
                    if ((record & QueueLayout.REMOVED) == 0) {
                        return true;
                    }
                } else {
                    long next = getLong(bytes, QueueLayout.NEXT_AT);
                    if (next == 0) {
                        return false;
                    }
                    begin(next);
                }
            }
        }

        /** Bytes that the element takes outside. */
        long takenOutside() {
            return (recordAt(at) & QueueLayout.OUTSIDE) == 0 ? 0
                : takenBytes(getLong(bytes, at + QueueLayout.RECORD_BYTES));
        }

        /** The element, or null if it was taken and lay outside. */
        @Nullable E element(Scratch scratch) {
            int record = recordAt(at);
            int from = at + QueueLayout.RECORD_BYTES;
            return (record & QueueLayout.OUTSIDE) != 0 ? outside(getLong(bytes, from), scratch)
                : scratch.read(codec, bytes, from, QueueLayout.length(record));
        }
    }

    /** Marks a record as removed; false if it was taken or removed before. */
    private boolean mark(long segment, int at) {
        taking.lock();
        try {
            return markLocked(segment, at);
        } finally {
            taking.unlock();
        }
    }

    private boolean markLocked(long segment, int at) {
        long word = nodes.enterToRead(segment);                 // unlike enter, it says that the segment is gone
        if (word == Status.ABSENT) {
            return false;
        }
        long outside = 0;
        try {
            long address = EntryWord.address(word);
            int record = memory.getFieldShort(address + at) & 0xFFFF;
            if (at < memory.getFieldInt(address + QueueLayout.FROM_AT) || (record & QueueLayout.REMOVED) != 0) {
                return false;
            }
            memory.putFieldShort(address + at, (short) (record | QueueLayout.REMOVED));
            if ((record & QueueLayout.OUTSIDE) != 0) {
                outside = memory.getFieldLong(address + at + QueueLayout.RECORD_BYTES);
            }
            count.decrementAndGet();
        } finally {
            nodes.leave(segment);
        }
        if (outside != 0) {
            remove(outside);
        }
        return true;
    }

    @Override
    public Iterator<E> iterator() {
        checkNotDropped();
        return new Iterator<>() {
            private final Walk walk = new Walk();
            private final Scratch scratch = new Scratch();
            private @Nullable E next = find();
            private long segment;
            private int at = -1;

            private @Nullable E find() {
                while (walk.step()) {
                    E element = walk.element(scratch);
                    if (element != null) {
                        return element;
                    }
                }
                return null;
            }

            @Override
            public boolean hasNext() {
                return next != null;
            }

            @Override
            public E next() {
                E element = next;
                if (element == null) {
                    throw new NoSuchElementException();
                }
                segment = walk.segment;
                at = walk.at;
                next = find();
                return element;
            }

            @Override
            public void remove() {
                if (at < 0) {
                    throw new IllegalStateException("remove() needs a next() before it");
                }
                mark(segment, at);
                at = -1;
            }
        };
    }

    @Override
    public boolean remove(@Nullable Object element) {
        if (element == null) {
            return false;
        }
        Walk walk = new Walk();
        Scratch scratch = new Scratch();
        while (walk.step()) {
            if (element.equals(walk.element(scratch)) && mark(walk.segment, walk.at)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void clear() {
        Scratch scratch = new Scratch();
        for (long left = longSize(); left > 0; left--) {
            int record = take(scratch, true);
            if (record < 0) {
                return;
            }
            if ((record & QueueLayout.OUTSIDE) != 0) {
                nodes.remove(getLong(scratch.bytes(), 0));
            }
        }
    }

    // ---- sizes, audit, drop ----

    @Override
    public int size() {
        return (int) Math.min(longSize(), Integer.MAX_VALUE);
    }

    @Override
    public boolean isEmpty() {
        return longSize() == 0;
    }

    @Override
    public long longSize() {
        checkNotDropped();
        return count.get();
    }

    @Override
    public long memoryBytes() {
        checkNotDropped();
        return memoryBytes.get();
    }

    @Override
    public long root() {
        return root;
    }

    @Override
    public void audit() {
        adding.lock();
        taking.lock();
        try {
            checkNotDropped();
            Sums sums = sums();
            if (sums.elements != count.get() || sums.memoryBytes != memoryBytes.get() || sums.last != last) {
                throw NodeIndex.damaged(nodes, root, "has " + sums.elements + " elements in " + sums.memoryBytes
                    + " bytes, not " + count.get() + " in " + memoryBytes.get());
            }
        } finally {
            taking.unlock();
            adding.unlock();
        }
    }

    @Override
    public void drop() {
        adding.lock();
        taking.lock();
        try {
            clear();
            dropped = true;
            for (long segment = first; segment != 0; ) {
                long next = next(segment);
                nodes.remove(segment);
                segment = next;
            }
            nodes.remove(root);
        } finally {
            taking.unlock();
            adding.unlock();
        }
        nodes.changed();
    }
}
