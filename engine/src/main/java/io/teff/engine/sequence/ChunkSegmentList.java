package io.teff.engine.sequence;

import io.teff.engine.codec.Codec;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.error.Status;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CodecBuffers;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.CollectionState;
import io.teff.engine.storage.EncodedBytes;
import io.teff.engine.storage.ObjectPool;
import io.teff.engine.storage.RootedCollection;
import io.teff.engine.storage.WriterLock;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.concurrent.locks.StampedLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
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
    /** Searches without the lock of writers. */
    private static final int SEARCHES = 2;

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
        int fixed = codec.fixedBytes() <= ListSegmentLayout.FIXED_BYTES_MAX ? codec.fixedBytes() : -1;
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
        return find(index, null);
    }

    /** Like {@link #find(long)}; copies the element's bytes unless {@code shown} is null. */
    @Nullable E find(long index, @Nullable EncodedBytes shown) {
        CodecBuffers buffers = pool.acquire();
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                long stamp = shifting.tryOptimisticRead();
                if (stamp != 0) {
                    int length = read(index, buffers);
                    if (length != ListReader.RETRY && shifting.validate(stamp)) {
                        return element(buffers, length, shown);
                    }
                }
            }
            return findUnchanged(index, buffers, shown);
        } finally {
            pool.release(buffers);
        }
    }

    /** Like {@link #find}, under the lock of writers. */
    private @Nullable E findUnchanged(long index, CodecBuffers buffers, @Nullable EncodedBytes shown) {
        changing.lock();
        try {
            int length = read(index, buffers);
            if (length == ListReader.RETRY) {
                throw ChunkIndex.damaged(chunks, segments.cidOf(index), "is gone");
            }
            return element(buffers, length, shown);
        } finally {
            changing.unlock();
        }
    }

    private int read(long index, CodecBuffers buffers) {
        return index < 0 || index >= segments.size() ? Status.ABSENT
            : reader.read(segments.cidOf(index), ListSegments.placeOf(index), buffers);
    }

    private @Nullable E element(CodecBuffers buffers, int length, @Nullable EncodedBytes shown) {
        if (length >= 0 && shown != null) {
            shown.set(buffers.bytes(), 0, length);
        }
        return length < 0 ? null : buffers.read(codec, buffers.bytes(), 0, length);
    }

    // ---- change one element ----

    /** A change with the bytes of an element, under the lock of writers. */
    private interface Change<T> {
        T apply(byte[] bytes, int length, boolean isOverflow);
    }

    /** Takes the lock of writers for a change that may add something, or for a removal. */
    private void lock(boolean isToAdd) {
        if (changing.isHeldByCurrentThread()) {
            throw new IllegalStateException("a function, comparator or codec that is called by a change of the list "
                + "changes it itself");
        }
        chunks.begin(isToAdd);
        changing.lock();
    }

    /** Encodes an element, into a chunk of its own if long, and passes the bytes or the link to a change. */
    private <T> T write(E element, Change<T> change) {
        Objects.requireNonNull(element);
        CodecBuffers buffers = pool.acquire();
        try {
            buffers.out().clear();
            buffers.out().putValue(codec, element);
            int length = buffers.out().size();
            lock(true);
            try {
                state.check();
                return writeLocked(buffers, length, change);
            } finally {
                changing.unlock();
                chunks.changed();
            }
        } finally {
            pool.release(buffers);
        }
    }

    private <T> T writeLocked(CodecBuffers buffers, int length, Change<T> change) {
        T result = length <= ListSegmentLayout.INLINE_BYTES_MAX ? change.apply(buffers.out().array(), length, false)
            : writeOverflow(buffers, length, change);
        segments.removeReplaced();
        return result;
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
            check(index, segments.size() + 1);
            insert(index, bytes, length, isOverflow);
            return true;
        });
    }

    private void insert(long index, byte[] bytes, int length, boolean isOverflow) {
        if (index == segments.size()) {
            segments.append(bytes, 0, length, isOverflow);
        } else {
            segments.insert(index, bytes, length, isOverflow);
        }
    }

    @Override
    public E remove(int index) {
        return locked(() -> {
            check(index, segments.size());
            E old = getAt(index);
            segments.remove(index);
            return old;
        });
    }

    /** Returns the result of a removal under the lock of writers. */
    private <T> T locked(Supplier<T> action) {
        return locked(false, action);
    }

    /** Returns the result of an action under the lock of writers. */
    private <T> T locked(boolean isToAdd, Supplier<T> action) {
        lock(isToAdd);
        try {
            state.check();
            return action.get();
        } finally {
            changing.unlock();
            chunks.changed();
        }
    }

    // ---- change the element that a walk has shown ----

    /**
     * Returns the index of the element that a walk has shown, under the lock of writers: the index of the showing, or
     * the nearest index with the same bytes if the element was moved; or -1 if there is no such index.
     */
    private long indexOf(long shownAt, EncodedBytes shown) {
        long size = segments.size();
        for (long distance = 0; distance <= Math.max(shownAt, size - 1 - shownAt); distance++) {
            if (isAt(shownAt - distance, shown)) {
                return shownAt - distance;
            }
            if (isAt(shownAt + distance, shown)) {
                return shownAt + distance;
            }
        }
        return -1;
    }

    private boolean isAt(long index, EncodedBytes shown) {
        CodecBuffers buffers = pool.acquire();
        try {
            int length = read(index, buffers);
            return length >= 0 && shown.isSame(buffers.bytes(), 0, length);
        } finally {
            pool.release(buffers);
        }
    }

    /** Removes the element that a walk has shown; returns its index, or -1 if it is not there any more. */
    long removeShown(long shownAt, EncodedBytes shown) {
        return locked(() -> {
            long index = indexOf(shownAt, shown);
            if (index >= 0) {
                segments.remove(index);
            }
            return index;
        });
    }

    /**
     * Replaces the element shown by a walk, if still in the list. The walk's bytes of the element become the new
     * element's bytes.
     */
    void replaceShown(long shownAt, EncodedBytes shown, E element) {
        write(element, (bytes, length, isOverflow) -> {
            long index = indexOf(shownAt, shown);
            if (index >= 0) {
                segments.set(index, bytes, length, isOverflow);
                find(index, shown);
            }
            return index >= 0;
        });
    }

    /** Adds an element at an index, or at the end of a list that has become shorter. */
    void addNear(long index, E element) {
        write(element, (bytes, length, isOverflow) -> {
            insert(Math.min(index, segments.size()), bytes, length, isOverflow);
            return true;
        });
    }

    // ---- search ----

    /** A search in the elements. */
    private interface Search {
        long run();
    }

    /**
     * Returns the result of a search in the list as it was at one moment. Under the lock of writers if the list is
     * changed too often.
     */
    private long search(Search search) {
        state.check();
        for (int attempt = 0; attempt < SEARCHES; attempt++) {
            long stamp = segments.revising().tryOptimisticRead();
            long found = search.run();
            if (segments.revising().validate(stamp)) {
                return found;
            }
        }
        changing.lock();
        try {
            return search.run();
        } finally {
            changing.unlock();
        }
    }

    private long first(@Nullable Object element) {
        if (element == null) {
            return -1;
        }
        long index = 0;
        for (E other = find(index); other != null; other = find(++index)) {
            if (element.equals(other)) {
                return index;
            }
        }
        return -1;
    }

    private long last(@Nullable Object element) {
        if (element == null) {
            return -1;
        }
        long index = segments.size() - 1;
        while (index >= 0 && !element.equals(find(index))) {
            index--;
        }
        return index;
    }

    @Override
    public int indexOf(@Nullable Object element) {
        return (int) Math.min(search(() -> first(element)), Integer.MAX_VALUE);
    }

    @Override
    public int lastIndexOf(@Nullable Object element) {
        return (int) Math.min(search(() -> last(element)), Integer.MAX_VALUE);
    }

    @Override
    public boolean contains(@Nullable Object element) {
        return indexOf(element) >= 0;
    }

    @Override
    public boolean remove(@Nullable Object element) {
        long stamp = segments.revising().tryOptimisticRead();
        long found = first(element);
        if (found < 0 && segments.revising().validate(stamp)) {
            state.check();
            return false;
        }
        return locked(() -> {
            long index = segments.revising().validate(stamp) ? found : first(element);
            if (index >= 0) {
                segments.remove(index);
            }
            return index >= 0;
        });
    }

    // ---- ends ----

    @Override
    public E getFirst() {
        state.check();
        return present(find(0));
    }

    @Override
    public E getLast() {
        state.check();
        for (int attempt = 0; attempt < SEARCHES; attempt++) {
            long stamp = segments.revising().tryOptimisticRead();
            E last = find(segments.size() - 1);
            if (segments.revising().validate(stamp)) {
                return present(last);
            }
        }
        changing.lock();
        try {
            return present(find(segments.size() - 1));
        } finally {
            changing.unlock();
        }
    }

    @Override
    public E removeFirst() {
        return locked(() -> {
            E first = present(find(0));
            segments.remove(0);
            return first;
        });
    }

    @Override
    public E removeLast() {
        return locked(() -> {
            long index = segments.size() - 1;
            E last = present(find(index));
            segments.remove(index);
            return last;
        });
    }

    private static <E> E present(@Nullable E element) {
        if (element == null) {
            throw new NoSuchElementException("the list is empty");
        }
        return element;
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
    public Spliterator<E> spliterator() {
        state.check();
        return new ListSpliterator<>(this, 0, Long.MAX_VALUE);
    }

    // ---- many elements ----

    /** Runs an action of many steps under the lock of writers, which keeps no more than a step together. */
    private boolean lockedInSteps(boolean isToAdd, BooleanSupplier action) {
        boolean isChanged = locked(isToAdd, action::getAsBoolean);
        chunks.done();                                          // the unlock saw groups that had been ended already
        return isChanged;
    }

    @Override
    public void clear() {
        lockedInSteps(false, () -> {
            segments.clear();
            return true;
        });
    }

    @Override
    public boolean removeIf(Predicate<? super E> test) {
        Objects.requireNonNull(test);
        return lockedInSteps(false, () -> {
            long before = segments.size();
            long index = 0;
            for (E element = find(index); element != null; element = find(index)) {
                if (test.test(element)) {
                    segments.remove(index);
                    chunks.endGroup();
                } else {
                    index++;
                }
            }
            return segments.size() < before;
        });
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

    @Override
    @SuppressWarnings("EqualsHashCode")                         // the contract of lists
    public boolean equals(@Nullable Object other) {
        state.check();
        return super.equals(other);
    }

    @Override
    public boolean containsAll(Collection<?> others) {
        state.check();
        return super.containsAll(others);
    }

    @Override
    public boolean addAll(Collection<? extends E> elements) {
        state.check();
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
        lockedInSteps(true, () -> {
            long index = 0;
            for (E element = find(index); element != null; element = find(++index)) {
                replaceLocked(index, function.apply(element));
            }
            return true;
        });
    }

    /** {@inheritDoc} Writers wait until the list is sorted; readers see elements move. */
    @Override
    public void sort(@Nullable Comparator<? super E> order) {
        lockedInSteps(true, () -> {
            List<E> sorted = new ArrayList<>(this);
            sorted.sort(order);
            for (int index = 0; index < sorted.size(); index++) {
                replaceLocked(index, sorted.get(index));
            }
            return true;
        });
    }

    /** Replaces an element as one step of a larger change, under the lock of writers. */
    private void replaceLocked(long index, E element) {
        Objects.requireNonNull(element);
        CodecBuffers buffers = pool.acquire();
        try {
            buffers.out().clear();
            buffers.out().putValue(codec, element);
            writeLocked(buffers, buffers.out().size(), (bytes, length, isOverflow) -> {
                segments.set(index, bytes, length, isOverflow);
                return true;
            });
            chunks.endGroup();
        } finally {
            pool.release(buffers);
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
        lock(false);
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
