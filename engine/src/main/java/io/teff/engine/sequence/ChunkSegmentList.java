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
 * The list over its {@link ListSegments}: turns elements into bytes and back. Changes hold one lock; readers take none
 * ({@link ListReader}), and begin again if elements were shifted meanwhile.
 *
 * @param <E> type of the elements
 */
public final class ChunkSegmentList<E> extends AbstractList<E> implements ChunkList<E>, RootedCollection {
    private static final int ATTEMPTS = 8;

    private final CollectionChunks nodes;
    private final Codec<E> codec;
    private final ChunkIndex root;
    private final ListSegments segments;
    private final ListReader reader;
    private final StampedLock shifting;
    private final CollectionState life;
    private final ObjectPool<CodecBuffers> spares = new ObjectPool<>(CodecBuffers::new, CodecBuffers::isKept);
    private final WriterLock changing;

    private ChunkSegmentList(CollectionChunks nodes, Codec<E> codec, ChunkIndex index) {
        OverflowElements outside = new OverflowElements(nodes);
        this.nodes = nodes;
        this.codec = codec;
        this.root = index;
        this.segments = new ListSegments(nodes, index, outside);
        this.reader = new ListReader(nodes, outside, index.keyBytes());
        this.shifting = segments.shifting();
        this.life = new CollectionState(nodes.stripes());
        this.changing = new WriterLock(nodes);
    }

    /**
     * Makes an empty list.
     *
     * @param <E> type of the elements
     * @param nodes the store
     * @param codec of the elements
     * @return the list
     */
    public static <E> ChunkSegmentList<E> make(CollectionChunks nodes, Codec<E> codec) {
        int fixed = codec.fixedBytes() <= SegmentLayout.FIXED_BYTES_MAX ? codec.fixedBytes() : -1;
        return new ChunkSegmentList<>(nodes, codec, ChunkIndex.make(nodes, 0, 0, fixed));
    }

    /**
     * Opens a list that is in the store.
     *
     * @param <E> type of the elements
     * @param nodes the store
     * @param cid the CID of its root
     * @param codec of the elements
     * @return the list
     */
    public static <E> ChunkSegmentList<E> open(CollectionChunks nodes, long cid, Codec<E> codec) {
        ChunkSegmentList<E> list = new ChunkSegmentList<>(nodes, codec, ChunkIndex.open(nodes, cid));
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

    /** The element at an index, or null if there are not so many; of a list that was dropped there are none. */
    @Nullable E find(long index) {
        CodecBuffers scratch = spares.take();
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                long stamp = shifting.tryOptimisticRead();
                if (stamp != 0) {
                    int length = read(index, scratch);
                    if (length != ListReader.RETRY && shifting.validate(stamp)) {
                        return element(scratch, length);
                    }
                }
            }
            return findUnchanged(index, scratch);
        } finally {
            spares.give(scratch);
        }
    }

    /** The same while nobody changes anything. */
    private @Nullable E findUnchanged(long index, CodecBuffers scratch) {
        changing.lock();
        try {
            int length = read(index, scratch);
            if (length == ListReader.RETRY) {
                throw ChunkIndex.damaged(nodes, segments.cidOf(index), "is gone");
            }
            return element(scratch, length);
        } finally {
            changing.unlock();
        }
    }

    private int read(long index, CodecBuffers scratch) {
        return index < 0 || index >= segments.size() ? Status.ABSENT
            : reader.read(segments.cidOf(index), ListSegments.placeOf(index), scratch);
    }

    private @Nullable E element(CodecBuffers scratch, int length) {
        return length < 0 ? null : scratch.read(codec, scratch.bytes(), 0, length);
    }

    // ---- change one element ----

    /** What to do with the bytes of an element, under the lock of changes. */
    private interface Change<T> {
        T apply(byte[] bytes, int length, boolean isOutside);
    }

    /** Takes the lock of changes, for a change. */
    private void lock() {
        if (changing.isHeldByCurrentThread()) {
            throw new IllegalStateException("a codec that is called by a change of the list changes it itself");
        }
        nodes.begin();
        changing.lock();
    }

    /** Writes an element, outside if it is long, and gives its bytes to a change. */
    private <T> T write(E element, Change<T> change) {
        Objects.requireNonNull(element);
        CodecBuffers scratch = spares.take();
        try {
            scratch.out().clear();
            codec.write(element, scratch.out());
            int length = scratch.out().size();
            lock();
            try {
                life.check();
                T result = length <= SegmentLayout.INSIDE_BYTES_MAX ? change.apply(scratch.out().array(), length, false)
                    : writeOutside(scratch, length, change);
                segments.removeReplaced();
                return result;
            } finally {
                changing.unlock();
                nodes.changed();
            }
        } finally {
            spares.give(scratch);
        }
    }

    /** Makes a chunk of the element that the scratch has written, and gives the link to the change. */
    private <T> T writeOutside(CodecBuffers scratch, int length, Change<T> change) {
        long cid = nodes.create(scratch.out().array(), 0, length);
        boolean done = false;
        try {
            scratch.out().clear();
            scratch.out().putLong(cid);
            T result = change.apply(scratch.out().array(), OverflowElements.LINK_BYTES, true);
            segments.countOutside(cid);
            done = true;
            return result;
        } finally {
            if (!done) {
                nodes.remove(cid);
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

    @SuppressWarnings("NullAway")                             // the old element is asked for where it is used
    private E replace(long index, E element, boolean wantsOld) {
        return write(element, (bytes, length, isOutside) -> {
            check(index, segments.size());
            E old = wantsOld ? getAt(index) : null;
            segments.set(index, bytes, length, isOutside);
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
        return write(element, (bytes, length, isOutside) -> {
            segments.append(bytes, 0, length, isOutside);
            return true;
        });
    }

    @Override
    public void add(int index, E element) {
        write(element, (bytes, length, isOutside) -> {
            long size = segments.size();
            check(index, size + 1);
            if (index == size) {
                segments.append(bytes, 0, length, isOutside);
            } else {
                segments.insert(index, bytes, length, isOutside);
            }
            return true;
        });
    }

    @Override
    public E remove(int index) {
        lock();
        try {
            life.check();
            check(index, segments.size());
            E old = getAt(index);
            segments.remove(index);
            return old;
        } finally {
            changing.unlock();
            nodes.changed();
        }
    }

    /** Removes the element at an index if there is one. */
    void removeIfThere(long index) {
        lock();
        try {
            life.check();
            if (index < segments.size()) {
                segments.remove(index);
            }
        } finally {
            changing.unlock();
            nodes.changed();
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
        life.check();
        return new ListSpliterator<>(this, 0, Long.MAX_VALUE);
    }

    // ---- many elements ----

    @Override
    public void clear() {
        lock();
        try {
            life.check();
            segments.clear();
        } finally {
            changing.unlock();
            nodes.changed();
        }
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
        life.check();
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
        life.check();
        return segments.size();
    }

    @Override
    public long memoryBytes() {
        life.check();
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
            life.check();
            segments.audit();
        } finally {
            changing.unlock();
        }
    }

    @Override
    public void drop() {
        lock();
        try {
            life.check();
            segments.clear();
            life.drop();
            nodes.openGroup();                                  // to go together with the name
            root.remove();
        } finally {
            changing.unlock();
        }
        nodes.changed();
    }
}
