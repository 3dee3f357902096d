package io.teff.engine.sequence;

import io.teff.engine.codec.Codec;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.error.Status;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CodecBuffers;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.CollectionState;
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
 * ({@link ListReader}, {@link ListCopier}), and start again if elements or segments moved meanwhile.
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
    private final OverflowElements overflow;
    private final ListReader reader;
    private final ListCopier copier;
    private final StampedLock shifting;
    private final CollectionState state;
    private final WriterLock changing;

    private ChunkSegmentList(CollectionChunks chunks, Codec<E> codec, ChunkIndex index) {
        this.overflow = new OverflowElements(chunks);
        this.chunks = chunks;
        this.codec = codec;
        this.root = index;
        this.segments = new ListSegments(chunks, index, overflow);
        this.reader = new ListReader(chunks, overflow, index.keyBytes());
        this.shifting = segments.shifting();
        this.state = new CollectionState(chunks.stripes());
        this.changing = new WriterLock(chunks);
        this.copier = new ListCopier(chunks, segments, changing, index.keyBytes());
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
        ChunkSegmentList<E> list = new ChunkSegmentList<>(chunks, codec, ChunkIndex.open(chunks, cid,
            ListSegmentLayout.VERSION));
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
    private @Nullable E find(long index) {
        CodecBuffers buffers = CodecBuffers.POOL.acquire();
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
            CodecBuffers.POOL.release(buffers);
        }
    }

    /** Like {@link #find}, under the lock of writers. */
    private @Nullable E findUnchanged(long index, CodecBuffers buffers) {
        changing.lock();
        try {
            int length = read(index, buffers);
            if (length == ListReader.RETRY) {
                throw ChunkIndex.damaged(chunks, root.root(), "has no chunk of element " + index);
            }
            return element(buffers, length);
        } finally {
            changing.unlock();
        }
    }

    private int read(long index, CodecBuffers buffers) {
        if (index < 0 || index >= segments.size()) {
            return Status.ABSENT;
        }
        long location = segments.tree().locate(index);
        return location < 0 ? ListReader.RETRY
            : reader.read(segments.cidOf(ListTree.numberOf(location)), ListTree.offsetOf(location), buffers);
    }

    private @Nullable E element(CodecBuffers buffers, int length) {
        return length < 0 ? null : buffers.read(codec, buffers.bytes(), 0, length);
    }

    /** Decodes an element of a copy; returns null if its chunk was removed meanwhile. */
    @Nullable E read(SegmentBytes copied, int at) {
        state.checkOpen();
        CodecBuffers buffers = CodecBuffers.POOL.acquire();
        try {
            if (copied.isOverflow(at)) {
                return element(buffers, overflow.copy(copied.overflowCid(at), buffers));
            }
            return buffers.read(codec, copied.bytes(), copied.from(at), copied.length(at));
        } finally {
            CodecBuffers.POOL.release(buffers);
        }
    }

    ListSegments segments() {
        return segments;
    }

    // ---- change one element ----

    /** A change with the bytes of an element, under the lock of writers; returns null if it changes nothing. */
    private interface Change<T> {
        @Nullable T apply(byte[] bytes, int length, boolean isOverflow);
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
    private <T> @Nullable T write(E element, Change<T> change) {
        Objects.requireNonNull(element);
        CodecBuffers buffers = CodecBuffers.POOL.acquire();
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
            CodecBuffers.POOL.release(buffers);
        }
    }

    private <T> @Nullable T writeLocked(CodecBuffers buffers, int length, Change<T> change) {
        @Nullable T result = length <= ListSegmentLayout.INLINE_BYTES_MAX
            ? change.apply(buffers.out().array(), length, false) : writeOverflow(buffers, length, change);
        segments.removeReplaced();
        return result;
    }

    /** Creates an overflow chunk of the encoded element, and passes the link to the change. */
    private <T> @Nullable T writeOverflow(CodecBuffers buffers, int length, Change<T> change) {
        long cid = chunks.create(buffers.out().array(), 0, length);
        boolean done = false;
        try {
            buffers.out().clear();
            buffers.out().putLong(cid);
            @Nullable T result = change.apply(buffers.out().array(), OverflowElements.LINK_BYTES, true);
            if (result != null) {
                segments.countOverflow(cid);
                done = true;
            }
            return result;
        } finally {
            if (!done) {
                chunks.remove(cid);
            }
        }
    }

    @Override
    @SuppressWarnings("NullAway")                             // there is an old element
    public E set(int index, E element) {
        return write(element, (bytes, length, isOverflow) -> {
            check(index, segments.size());
            E old = getAt(index);
            segments.set(index, bytes, length, isOverflow);
            return old;
        });
    }

    @Override
    public void setAt(long index, E element) {
        write(element, (bytes, length, isOverflow) -> {
            check(index, segments.size());
            segments.set(index, bytes, length, isOverflow);
            return true;
        });
    }

    private static void check(long index, long end) {
        if (index < 0 || index >= end) {
            throw new IndexOutOfBoundsException("index " + index + " of " + end);
        }
    }

    @Override
    public boolean add(E element) {
        write(element, (bytes, length, isOverflow) -> {
            segments.append(bytes, length, isOverflow);
            return true;
        });
        return true;
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
            segments.append(bytes, length, isOverflow);
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

    /** Removes the element that a cursor has shown, if it is still in the list. */
    void removeShown(ListCursor<E> cursor) {
        locked(() -> {
            long index = cursor.shownIndex();
            long position = cursor.position();
            if (index >= 0) {
                segments.remove(index);
                if (position >= 0) {
                    cursor.seek(index < position ? position - 1 : position);
                }
            }
            return index;
        });
    }

    /** Replaces the element that a cursor has shown, if it is still in the list; the new one is the shown one then. */
    void replaceShown(ListCursor<E> cursor, E element) {
        write(element, (bytes, length, isOverflow) -> {
            long index = cursor.shownIndex();
            if (index < 0) {
                return null;
            }
            long position = cursor.position();
            segments.set(index, bytes, length, isOverflow);
            cursor.replaced(index, position);
            return true;
        });
    }

    /** Adds an element at the position of a cursor, which is behind it then, or in front of it. */
    void addAt(ListCursor<E> cursor, E element, boolean isBehind) {
        write(element, (bytes, length, isOverflow) -> {
            long position = cursor.position();
            long index = position >= 0 ? position : cursor.nearPosition();
            insert(index, bytes, length, isOverflow);
            if (position >= 0) {
                cursor.seek(isBehind ? position + 1 : position);
            } else if (isBehind) {
                cursor.added(index);
            }
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
        ListCursor<E> cursor = cursor(0);
        long index = 0;
        for (E other = cursor.peekNext(); other != null; other = cursor.peekNext()) {
            if (element.equals(other)) {
                return index;
            }
            cursor.pass();
            index++;
        }
        return -1;
    }

    private long last(@Nullable Object element) {
        if (element == null) {
            return -1;
        }
        long index = segments.size();
        ListCursor<E> cursor = cursor(index);
        for (E other = cursor.peekPrevious(); other != null; other = cursor.peekPrevious()) {
            index--;
            if (element.equals(other)) {
                return index;
            }
            cursor.passBack();
        }
        return -1;
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

    private ListCursor<E> cursor(long index) {
        ListCursor<E> cursor = new ListCursor<>(this, copier, index, null, null);
        if (index > 0) {
            cursor.seek(index);                                 // elements that are inserted in front do not move it
        }
        return cursor;
    }

    @Override
    public ListIterator<E> listIterator(int index) {
        return walkFrom(index);
    }

    /** Returns a walk that begins at an index. */
    ListWalk<E> walkFrom(int index) {
        check(index, longSize() + 1);
        return new ListWalk<>(this, cursor(index));
    }

    /** Returns a walk that begins at the end of the list. */
    ListWalk<E> walkFromEnd() {
        ListCursor<E> cursor = new ListCursor<>(this, copier, longSize(), null, null);
        cursor.seek(Long.MAX_VALUE);
        return new ListWalk<>(this, cursor);
    }

    @Override
    public List<E> reversed() {
        return new ReversedList<>(this);
    }

    @Override
    public Spliterator<E> spliterator() {
        state.check();
        return new ListSpliterator<>(this, copier, cursor(0));
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
            ListCursor<E> cursor = cursor(0);
            for (E element = cursor.peekNext(); element != null; element = cursor.peekNext()) {
                cursor.pass();
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
            ListCursor<E> cursor = cursor(0);
            for (E element = cursor.peekNext(); element != null; element = cursor.peekNext()) {
                cursor.pass();
                replaceLocked(index++, function.apply(element));
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
        CodecBuffers buffers = CodecBuffers.POOL.acquire();
        try {
            buffers.out().clear();
            buffers.out().putValue(codec, element);
            writeLocked(buffers, buffers.out().size(), (bytes, length, isOverflow) -> {
                segments.set(index, bytes, length, isOverflow);
                return true;
            });
            chunks.endGroup();
        } finally {
            CodecBuffers.POOL.release(buffers);
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
