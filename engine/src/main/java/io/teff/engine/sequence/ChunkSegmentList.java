package io.teff.engine.sequence;

import io.teff.engine.codec.Codec;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.error.Status;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CodecBuffers;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.CollectionState;
import io.teff.engine.storage.ObjectPool;
import io.teff.engine.storage.RootedCollection;
import io.teff.engine.storage.WriterLock;
import java.util.AbstractList;
import java.util.Collection;
import java.util.Iterator;
import java.util.ListIterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.concurrent.locks.StampedLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Implements the list on {@link ListSegments}: encodes and decodes elements. Writers hold one lock. Readers take none
 * ({@link ListReader}), and start again if elements were shifted meanwhile.
 *
 * @param <E> type of the elements
 */
public final class ChunkSegmentList<E> extends AbstractList<E> implements ChunkList<E>, RootedCollection {
    private static final int ATTEMPTS = 8;

    private final CollectionChunks chunks;
    private final Codec<E> codec;
    private final ChunkIndex root;
    private final ListSegments segments;
    private final ListReader reader;
    private final StampedLock shifting;
    private final CollectionState state;
    private final ObjectPool<CodecBuffers> pool = new ObjectPool<>(CodecBuffers::new, CodecBuffers::isKept);
    private final WriterLock changing;

    private ChunkSegmentList(CollectionChunks chunks, Codec<E> codec, ChunkIndex index) {
        OverflowElements overflow = new OverflowElements(chunks);
        this.chunks = chunks;
        this.codec = codec;
        this.root = index;
        this.segments = new ListSegments(chunks, index, overflow);
        this.reader = new ListReader(chunks, overflow, index.keyBytes());
        this.shifting = segments.shifting();
        this.state = new CollectionState(chunks.stripes());
        this.changing = new WriterLock(chunks);
    }

    /**
     * Creates an empty list.
     *
     * @param <E> type of the elements
     * @param chunks chunk operations of the store
     * @param codec codec of the elements
     * @return the list
     */
    public static <E> ChunkSegmentList<E> make(CollectionChunks chunks, Codec<E> codec) {
        int fixed = codec.fixedBytes() <= SegmentLayout.FIXED_BYTES_MAX ? codec.fixedBytes() : -1;
        return new ChunkSegmentList<>(chunks, codec, ChunkIndex.make(chunks, 0, 0, fixed));
    }

    /**
     * Opens an existing list.
     *
     * @param <E> type of the elements
     * @param chunks chunk operations of the store
     * @param cid CID of the root
     * @param codec codec of the elements
     * @return the list
     */
    public static <E> ChunkSegmentList<E> open(CollectionChunks chunks, long cid, Codec<E> codec) {
        ChunkSegmentList<E> list = new ChunkSegmentList<>(chunks, codec, ChunkIndex.open(chunks, cid));
        list.segments.open();
        return list;
    }

    // ---- read ----

    @Override
    public E get(int index) {
        return getAt(index);
    }

    @Override
    public E getAt(long index) {
        E element = find(index);
        if (element == null) {
            throw new IndexOutOfBoundsException("index " + index + " of " + longSize() + " elements");
        }
        return element;
    }

    /** Returns the element at an index, or null if the list is shorter; a dropped list has no elements. */
    @Nullable E find(long index) {
        CodecBuffers buffers = pool.acquire();
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                long stamp = shifting.tryOptimisticRead();
                if (stamp != 0) {
                    int length = read(index, buffers);
                    if (length != ListReader.RETRY && shifting.validate(stamp)) {
                        return element(buffers, length);
                    }
                }
            }
            return findUnchanged(index, buffers);
        } finally {
            pool.release(buffers);
        }
    }

    /** Like {@link #find}, under the lock of writers. */
    private @Nullable E findUnchanged(long index, CodecBuffers buffers) {
        changing.lock();
        try {
            int length = read(index, buffers);
            if (length == ListReader.RETRY) {
                throw ChunkIndex.damaged(chunks, segments.cidOf(index), "is gone");
            }
            return element(buffers, length);
        } finally {
            changing.unlock();
        }
    }

    private int read(long index, CodecBuffers buffers) {
        return index < 0 || index >= segments.size() ? Status.ABSENT
            : reader.read(segments.cidOf(index), ListSegments.placeOf(index), buffers);
    }

    private @Nullable E element(CodecBuffers buffers, int length) {
        return length < 0 ? null : buffers.read(codec, buffers.bytes(), 0, length);
    }

    // ---- change one element ----

    /** A change with the bytes of an element, under the lock of writers. */
    private interface Change<T> {
        T apply(byte[] bytes, int length, boolean isOverflow);
    }

    /** Takes the lock of writers for a change. */
    private void lock() {
        if (changing.isHeldByCurrentThread()) {
            throw new IllegalStateException("a codec that is called by a change of the list changes it itself");
        }
        chunks.begin();
        changing.lock();
    }

    /** Encodes an element, into a chunk of its own if it is long, and passes its bytes or link to a change. */
    private <T> T write(E element, Change<T> change) {
        Objects.requireNonNull(element);
        CodecBuffers buffers = pool.acquire();
        try {
            buffers.out().clear();
            codec.write(element, buffers.out());
            int length = buffers.out().size();
            lock();
            try {
                state.check();
                T result = length <= SegmentLayout.INLINE_BYTES_MAX ? change.apply(buffers.out().array(), length, false)
                    : writeOverflow(buffers, length, change);
                segments.removeReplaced();
                return result;
            } finally {
                changing.unlock();
                chunks.changed();
            }
        } finally {
            pool.release(buffers);
        }
    }

    /** Creates an overflow chunk of the encoded element, and passes the link to the change. */
    private <T> T writeOverflow(CodecBuffers buffers, int length, Change<T> change) {
        long cid = chunks.create(buffers.out().array(), 0, length);
        boolean done = false;
        try {
            buffers.out().clear();
            buffers.out().putLong(cid);
            T result = change.apply(buffers.out().array(), OverflowElements.LINK_BYTES, true);
            segments.countOverflow(cid);
            done = true;
            return result;
        } finally {
            if (!done) {
                chunks.remove(cid);
            }
        }
    }

    @Override
    public E set(int index, E element) {
        return replace(index, element, true);
    }

    @Override
    public void setAt(long index, E element) {
        replace(index, element, false);
    }

    @SuppressWarnings("NullAway")                             // the old element is read if the caller uses it
    private E replace(long index, E element, boolean wantsOld) {
        return write(element, (bytes, length, isOverflow) -> {
            check(index, segments.size());
            E old = wantsOld ? getAt(index) : null;
            segments.set(index, bytes, length, isOverflow);
            return old;
        });
    }

    private static void check(long index, long end) {
        if (index < 0 || index >= end) {
            throw new IndexOutOfBoundsException("index " + index + " of " + end);
        }
    }

    @Override
    public boolean add(E element) {
        return write(element, (bytes, length, isOverflow) -> {
            segments.append(bytes, 0, length, isOverflow);
            return true;
        });
    }

    @Override
    public void add(int index, E element) {
        write(element, (bytes, length, isOverflow) -> {
            long size = segments.size();
            check(index, size + 1);
            if (index == size) {
                segments.append(bytes, 0, length, isOverflow);
            } else {
                segments.insert(index, bytes, length, isOverflow);
            }
            return true;
        });
    }

    @Override
    public E remove(int index) {
        lock();
        try {
            state.check();
            check(index, segments.size());
            E old = getAt(index);
            segments.remove(index);
            return old;
        } finally {
            changing.unlock();
            chunks.changed();
        }
    }

    /** Removes the element at an index if the list is long enough. */
    void removeIfThere(long index) {
        lock();
        try {
            state.check();
            if (index < segments.size()) {
                segments.remove(index);
            }
        } finally {
            changing.unlock();
            chunks.changed();
        }
    }

    // ---- walks ----

    @Override
    public Iterator<E> iterator() {
        return listIterator();
    }

    @Override
    public ListIterator<E> listIterator(int index) {
        check(index, longSize() + 1);
        return new ListWalk<>(this, index);
    }

    @Override
    public int lastIndexOf(@Nullable Object element) {
        ListIterator<E> walk = new ListWalk<>(this, longSize());
        while (walk.hasPrevious()) {
            if (walk.previous().equals(element)) {
                return walk.nextIndex();
            }
        }
        return -1;
    }

    @Override
    public Spliterator<E> spliterator() {
        state.check();
        return new ListSpliterator<>(this, 0, Long.MAX_VALUE);
    }

    // ---- many elements ----

    @Override
    public void clear() {
        lock();
        try {
            state.check();
            segments.clear();
        } finally {
            changing.unlock();
            chunks.changed();
        }
        chunks.done();                                          // the unlock saw groups that had been ended already
    }

    @Override
    public boolean addAll(Collection<? extends E> elements) {
        boolean changed = false;
        for (Object element : elements.toArray()) {
            @SuppressWarnings("unchecked") E typed = (E) element;
            changed |= add(typed);
        }
        return changed;
    }

    @Override
    public void replaceAll(UnaryOperator<E> function) {
        Objects.requireNonNull(function);
        state.check();
        for (long index = 0; index < segments.size(); index++) {
            E element = find(index);
            if (element != null) {
                setAt(index, function.apply(element));
            }
        }
    }

    // ---- sizes, audit, drop ----

    @Override
    public int size() {
        return (int) Math.min(longSize(), Integer.MAX_VALUE);
    }

    @Override
    public long longSize() {
        state.check();
        return segments.size();
    }

    @Override
    public long memoryBytes() {
        state.check();
        return segments.memoryBytes();
    }

    @Override
    public long root() {
        return root.root();
    }

    @Override
    public void audit() {
        changing.lock();
        try {
            state.check();
            segments.audit();
        } finally {
            changing.unlock();
        }
    }

    @Override
    public void drop() {
        lock();
        try {
            state.check();
            segments.clear();
            state.drop();
            chunks.openGroup();                                  // removed in one group with the name
            root.remove();
        } finally {
            changing.unlock();
        }
        chunks.changed();
    }
}
