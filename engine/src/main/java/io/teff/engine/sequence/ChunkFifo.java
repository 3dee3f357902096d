package io.teff.engine.sequence;

import io.teff.engine.codec.Codec;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.error.Status;
import io.teff.engine.raw.QueuePlaces;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CodecBuffers;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.CollectionState;
import io.teff.engine.storage.RootedCollection;
import io.teff.engine.storage.WriterLock;
import java.util.AbstractQueue;
import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Implements the queue on a {@link QueueChain}: encodes and decodes elements. Adding threads hold the first lock,
 * taking or removing threads the second lock (the two locks of Michael and Scott 1996).
 *
 * @param <E> type of the elements
 */
public final class ChunkFifo<E> extends AbstractQueue<E> implements ChunkQueue<E>, QueuePlaces<E>, RootedCollection {
    /** Link of an element that is in its segment. */
    private static final long NO_LINK = 0;

    private final CollectionChunks chunks;
    private final Codec<E> codec;
    private final QueueChain chain;
    private final OverflowElements overflow;
    private final CollectionState state;
    private final WriterLock adding;
    /**
     * Lock of threads that take. Same lock as {@link #adding} if changes are journaled: the journal gets a segment's
     * changes of both sides.
     */
    private final WriterLock taking;
    /** Guarded by {@link #taking}. A codec that runs with them cannot take another element. */
    private CodecBuffers buffersOfTakers = new CodecBuffers();

    private ChunkFifo(CollectionChunks chunks, Codec<E> codec, QueueChain chain) {
        this.chunks = chunks;
        this.codec = codec;
        this.chain = chain;
        this.overflow = chain.overflow();
        this.state = chain.state();
        this.adding = new WriterLock(chunks);
        this.taking = chunks.isKept() ? adding : new WriterLock(chunks);
    }

    /**
     * Creates an empty queue.
     *
     * @param <E> type of the elements
     * @param chunks chunk operations of the store
     * @param codec codec of the elements
     * @return the queue
     */
    public static <E> ChunkFifo<E> make(CollectionChunks chunks, Codec<E> codec) {
        return new ChunkFifo<>(chunks, codec, QueueChain.make(chunks));
    }

    /**
     * Opens an existing queue.
     *
     * @param <E> type of the elements
     * @param chunks chunk operations of the store
     * @param cid CID of the root
     * @param codec codec of the elements
     * @return the queue
     */
    public static <E> ChunkFifo<E> open(CollectionChunks chunks, long cid, Codec<E> codec) {
        return new ChunkFifo<>(chunks, codec, QueueChain.open(chunks, cid));
    }

    // ---- add ----

    @Override
    public boolean offer(E element) {
        Objects.requireNonNull(element);
        CodecBuffers buffers = CodecBuffers.POOL.acquire();
        try {
            buffers.out().clear();
            buffers.out().putValue(codec, element);
            add(buffers);
            return true;
        } finally {
            CodecBuffers.POOL.release(buffers);
        }
    }

    /** Adds the element in the output; a long element is stored in a chunk of its own before the lock is taken. */
    private void add(CodecBuffers buffers) {
        int length = buffers.out().size();
        chunks.begin();
        if (length <= QueueLayout.INLINE_BYTES_MAX) {
            add(buffers.out().array(), length);
        } else {
            long link = chunks.create(buffers.out().array(), 0, length);
            buffers.out().clear();
            buffers.out().putLong(link);
            add(buffers.out().array(), OverflowElements.LINK_BYTES | QueueLayout.OVERFLOW);
        }
    }

    private void add(byte[] bytes, int record) {
        adding.lock();
        try {
            addLocked(bytes, record);
        } finally {
            adding.unlock();
            chunks.changed();
        }
    }

    /**
     * Adds a record under the lock. Once the record is added, its chunk belongs to the queue, even if journaling
     * fails.
     */
    private void addLocked(byte[] bytes, int record) {
        boolean isAdded = false;
        try {
            state.checkNotDropped();
            chain.add(bytes, QueueLayout.length(record), record);
            isAdded = true;
        } finally {
            if (!isAdded && QueueLayout.isOverflow(record)) {
                chunks.remove(OverflowElements.link(bytes, 0));
            }
        }
    }

    // ---- take ----

    /** Takes the lock of threads that take. */
    private void lockToTake() {
        if (taking.isHeldByCurrentThread()) {
            throw new IllegalStateException("a codec that is called by a change of the queue changes it itself");
        }
        chunks.beginRemoval();
        taking.lock();
    }

    private void unlockTaken() {
        taking.unlock();
        chunks.changed();
    }

    /** Removes the first element once it has become an object; if its codec throws, it stays. */
    @Override
    public @Nullable E poll() {
        lockToTake();
        try {
            state.checkNotDropped();
            if (!buffersOfTakers.isKept()) {
                buffersOfTakers = new CodecBuffers();
            }
            return poll(buffersOfTakers);
        } finally {
            unlockTaken();
        }
    }

    /** Removes the first element, under the lock of threads that take. */
    private @Nullable E poll(CodecBuffers buffers) {
        int record = chain.find(buffers);
        if (record == QueueChain.NONE) {
            return null;
        }
        long link = QueueLayout.isOverflow(record) ? OverflowElements.link(buffers.bytes(), 0) : NO_LINK;
        E element = read(record, buffers.bytes(), 0, buffers);
        if (element == null) {
            throw ChunkIndex.damaged(chunks, link, "is gone");
        }
        removeFirst(link);
        return element;
    }

    @Override
    public boolean skip() {
        CodecBuffers buffers = CodecBuffers.POOL.acquire();
        try {
            lockToTake();
            try {
                state.checkNotDropped();
                return skip(buffers);
            } finally {
                unlockTaken();
            }
        } finally {
            CodecBuffers.POOL.release(buffers);
        }
    }

    /** Removes the first element, under the lock of threads that take; returns whether there was one. */
    private boolean skip(CodecBuffers buffers) {
        int record = chain.find(buffers);
        if (record == QueueChain.NONE) {
            return false;
        }
        removeFirst(QueueLayout.isOverflow(record) ? OverflowElements.link(buffers.bytes(), 0) : NO_LINK);
        return true;
    }

    /** Removes the first element, after the chunk of the element's link. This chunk may be locked. */
    private void removeFirst(long link) {
        long overflowBytes = 0;
        if (link != NO_LINK) {
            overflowBytes = overflow.takenBytes(link);
            chunks.remove(link);
        }
        chain.passFirst(overflowBytes);
    }

    @Override
    public @Nullable E peek() {
        CodecBuffers buffers = CodecBuffers.POOL.acquire();
        try {
            for (;;) {
                int record = first(buffers);
                E element = record == QueueChain.NONE ? null : read(record, buffers.bytes(), 0, buffers);
                if (record == QueueChain.NONE || element != null) {
                    return element;
                }                                               // else taken meanwhile: the next one
            }
        } finally {
            CodecBuffers.POOL.release(buffers);
        }
    }

    /**
     * Returns the record of the first element, with its bytes or its link in the buffers; or {@link QueueChain#NONE}.
     */
    private int first(CodecBuffers buffers) {
        taking.lock();
        try {
            state.checkNotDropped();
            return chain.peek(buffers);
        } finally {
            taking.unlock();
        }
    }

    /** Returns the object of a record in an array, or null if its overflow chunk was removed. */
    private @Nullable E read(int record, byte[] bytes, int from, CodecBuffers buffers) {
        if (!QueueLayout.isOverflow(record)) {
            return buffers.read(codec, bytes, from, QueueLayout.length(record));
        }
        int length = overflow.copy(OverflowElements.link(bytes, from), buffers);
        return length == Status.ABSENT ? null : buffers.read(codec, buffers.bytes(), 0, length);
    }

    @Override
    public void clear() {
        long left = longSize();
        while (left > 0 && skip()) {
            left--;
        }
    }

    // ---- walk ----

    /** A walk over the elements. Not thread-safe. */
    final class Walk implements PlaceWalk<E> {
        private final QueueWalk records;
        private final CodecBuffers buffers = new CodecBuffers();

        private Walk(QueueWalk records) {
            this.records = records;
        }

        @Override
        public @Nullable E next() {
            while (records.step()) {
                E element = read(records.record(), records.bytes(), records.from(), buffers);
                if (element != null) {                          // else an overflow element that was taken
                    return element;
                }
            }
            return null;
        }

        @Override
        public long segment() {
            return records.segment();
        }

        @Override
        public int at() {
            return records.at();
        }
    }

    Walk walk() {
        state.check();
        return new Walk(new QueueWalk(chain));
    }

    @Override
    public Walk behind(long segment, int at) {
        state.check();
        return new Walk(QueueWalk.behind(chain, segment, at));
    }

    @Override
    public long addedSegment() {
        return chain.addedSegment();
    }

    @Override
    public int addedAt() {
        return chain.addedAt();
    }

    @Override
    public boolean removeAt(long segment, int at) {
        state.check();
        return chain.isRecord(segment, at) && mark(segment, at);
    }

    /** Removes an element from the middle; returns false if another thread has taken or removed it. */
    boolean mark(long segment, int at) {
        lockToTake();
        try {
            return chain.mark(segment, at);
        } finally {
            unlockTaken();
        }
    }

    @Override
    public Iterator<E> iterator() {
        return new QueueIterator<>(this);
    }

    @Override
    public boolean remove(@Nullable Object element) {
        state.check();
        return element != null && remove(element::equals, false);
    }

    @Override
    public boolean contains(@Nullable Object element) {
        state.check();
        return element != null && super.contains(element);
    }

    @Override
    public boolean containsAll(Collection<?> others) {
        state.check();
        return super.containsAll(others);
    }

    @Override
    public boolean addAll(Collection<? extends E> elements) {
        state.check();
        return super.addAll(elements);
    }

    @Override
    public boolean removeIf(Predicate<? super E> test) {
        return remove(Objects.requireNonNull(test), true);
    }

    @Override
    public boolean removeAll(Collection<?> others) {
        Objects.requireNonNull(others);
        return removeIf(others::contains);
    }

    @Override
    public boolean retainAll(Collection<?> others) {
        Objects.requireNonNull(others);
        return removeIf(element -> !others.contains(element));
    }

    /**
     * Removes the first element that a test accepts, or all such elements; returns whether this call removed any
     * element. An element never moves nor changes, so the removed element is the tested element.
     */
    private boolean remove(Predicate<? super E> test, boolean isAll) {
        boolean isChanged = false;
        Walk walk = walk();
        for (E element = walk.next(); element != null; element = walk.next()) {
            isChanged |= test.test(element) && mark(walk.segment(), walk.at());
            if (isChanged && !isAll) {
                return true;
            }
        }
        return isChanged;
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
        state.check();
        long count = chain.count();
        if (count == QueueChain.NONE) {
            taking.lock();
            try {
                count = chain.count();
            } finally {
                taking.unlock();
            }
        }
        return count;
    }

    @Override
    public long memoryBytes() {
        state.check();
        return chain.memoryBytes();
    }

    @Override
    public long root() {
        return chain.root();
    }

    @Override
    public void audit() {
        adding.lock();
        taking.lock();
        try {
            state.check();
            chain.audit();
        } finally {
            taking.unlock();
            adding.unlock();
        }
    }

    @Override
    public void drop() {
        chunks.beginRemoval();
        adding.lock();
        taking.lock();
        try {
            state.checkNotDropped();
            CodecBuffers buffers = new CodecBuffers();
            while (skip(buffers)) {
                chunks.endGroup();
            }
            state.drop();
            chunks.openGroup();                                  // removed in one group with the name
            chain.remove();
        } finally {
            taking.unlock();
            adding.unlock();
        }
        chunks.changed();
    }
}
