package io.teff.engine.sequence;

import io.teff.engine.codec.Codec;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.error.Status;
import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.Memory;
import io.teff.engine.node.NodeIndex;
import io.teff.engine.node.Nodes;
import io.teff.engine.node.Rooted;
import io.teff.engine.node.Scratch;
import io.teff.engine.node.Spares;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;
import java.util.AbstractList;
import java.util.Collection;
import java.util.Iterator;
import java.util.ListIterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The list: segment s has the elements from s * 64 on, so all segments but the last are full ({@link SegmentLayout}).
 *
 * <p>Changes hold one lock. A set or an append changes one segment, as one operation of the engine, and a reader sees
 * it or not. An insert or a removal before the end moves elements from segment to segment: it holds the write stamp of
 * {@link #shifting} besides, and a reader that worked meanwhile begins again.
 *
 * @param <E> type of the elements
 */
public final class ChunkSegmentList<E> extends AbstractList<E> implements ChunkList<E>, Rooted {
    private static final int ATTEMPTS = 8;
    /** Result of a read that must begin again. */
    private static final int RETRY = -100;
    /** Result of {@link #readAt}: the scratch has the CID of the element's chunk. */
    private static final int OUTSIDE = -1000;

    private final Nodes nodes;
    private final Memory memory;
    private final Stripes stripes;
    private final Table table;
    private final Codec<E> codec;
    private final int fixedBytes;
    private final NodeIndex segments;
    private final Spares<Scratch> spares = new Spares<>(Scratch::new, Scratch::isKept);
    private final ReentrantLock changing = new ReentrantLock();
    private final StampedLock shifting = new StampedLock();
    private final AtomicLong memoryBytes = new AtomicLong();
    /** Guarded by changing. */
    private final SegmentBytes segment;
    private final SegmentBytes neighbour;
    private volatile long size;
    private volatile boolean dropped;

    private ChunkSegmentList(Nodes nodes, Codec<E> codec, int fixedBytes, NodeIndex segments) {
        this.nodes = nodes;
        this.memory = nodes.memory();
        this.stripes = nodes.stripes();
        this.table = nodes.table();
        this.codec = codec;
        this.fixedBytes = fixedBytes;
        this.segments = segments;
        segment = new SegmentBytes(fixedBytes);
        neighbour = new SegmentBytes(fixedBytes);
    }

    private static int fixedBytes(Codec<?> codec) {
        return codec.fixedBytes() <= SegmentLayout.FIXED_BYTES_MAX ? codec.fixedBytes() : -1;
    }

    /**
     * Makes an empty list.
     *
     * @param <E> type of the elements
     * @param nodes the store
     * @param codec of the elements
     * @return the list
     */
    public static <E> ChunkSegmentList<E> make(Nodes nodes, Codec<E> codec) {
        int fixed = fixedBytes(codec);
        return new ChunkSegmentList<>(nodes, codec, fixed, NodeIndex.make(nodes, 0, 0, fixed));
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
    public static <E> ChunkSegmentList<E> open(Nodes nodes, long cid, Codec<E> codec) {
        NodeIndex segments = NodeIndex.open(nodes, cid);
        ChunkSegmentList<E> list = new ChunkSegmentList<>(nodes, codec, segments.keyBytes(), segments);
        Sums sums = list.sums();
        list.size = sums.elements;
        list.memoryBytes.set(sums.memoryBytes);
        return list;
    }

    // ---- segments ----

    /** What a list has. */
    private record Sums(long elements, long memoryBytes) {}

    /** Counts and checks everything, while nobody changes it. */
    private Sums sums() {
        long elements = 0;
        long memorySum = 0;
        for (long number = 0; number < segments.count(); number++) {
            memorySum += nodes.takenBytes(load(number, segment));
            if (number < segments.count() - 1 && segment.count() != SEGMENT || segment.count() == 0) {
                throw NodeIndex.damaged(nodes, segments.cidOf(number), "has " + segment.count() + " elements");
            }
            elements += segment.count();
            for (int at = 0; at < segment.count(); at++) {
                memorySum += segment.isOutside(at) ? takenOutside(segment.cidOutside(at)) : 0;
            }
        }
        return new Sums(elements, memorySum);
    }

    private long takenOutside(long cid) {
        long length = nodes.size(cid);
        if (length == Status.ABSENT) {
            throw NodeIndex.damaged(nodes, cid, "is gone");
        }
        return nodes.takenBytes(length) + Long.BYTES;
    }

    /** Copies a segment; bytes of its chunk. */
    private int load(long number, SegmentBytes target) {
        int length = nodes.get(segments.cidOf(number), target.bytes());
        if (length < 0 || !target.isWhole(length)) {
            throw NodeIndex.damaged(nodes, segments.cidOf(number), "is no segment of a list");
        }
        return length;
    }

    /** Writes a segment that was there with so many bytes, or 0. */
    private void store(long number, SegmentBytes source, int bytesBefore) {
        int length = storeAt(number, source, source.chunkBytes(), bytesBefore);
        memoryBytes.addAndGet(nodes.takenBytes(length) - (bytesBefore == 0 ? 0 : nodes.takenBytes(bytesBefore)));
    }

    /** Writes a segment; where it has room and there is no other memory, its chunk stays. Bytes of the chunk. */
    private int storeAt(long number, SegmentBytes source, int length, int bytesBefore) {
        long cid = segments.cidOf(number);
        if (nodes.tryStore(cid, source.bytes(), 0, length)) {
            return length;
        }
        int kept = source.used() <= bytesBefore ? bytesBefore : length;
        nodes.store(cid, source.bytes(), 0, kept);
        return kept;
    }

    private static long segmentOf(long index) {
        return index / SEGMENT;
    }

    private static int placeOf(long index) {
        return (int) (index % SEGMENT);
    }

    private void checkNotDropped() {
        if (dropped) {
            throw new IllegalStateException("the collection was dropped");
        }
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

    /** The element at an index, or null if there are not so many. */
    @Nullable E find(long index) {
        checkNotDropped();
        Scratch scratch = spares.take();
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                long stamp = shifting.tryOptimisticRead();
                if (stamp != 0) {
                    int length = read(index, scratch);
                    if (length != RETRY && shifting.validate(stamp)) {
                        return length < 0 ? null : scratch.read(codec, scratch.bytes(), 0, length);
                    }
                }
            }
            changing.lock();                                    // nobody changes anything now
            try {
                int length = read(index, scratch);
                if (length == RETRY) {
                    throw NodeIndex.damaged(nodes, segments.cidOf(segmentOf(index)), "is gone");
                }
                return length < 0 ? null : scratch.read(codec, scratch.bytes(), 0, length);
            } finally {
                changing.unlock();
            }
        } finally {
            spares.give(scratch);
        }
    }

    /** Copies an element to the scratch; its length, ABSENT if there are not so many, or RETRY. */
    private int read(long index, Scratch scratch) {
        if (index < 0 || index >= size) {
            return Status.ABSENT;
        }
        long cid = segments.cidOf(segmentOf(index));
        int result = readOptimistic(cid, placeOf(index), scratch);
        if (result == RETRY) {
            long word = nodes.enterToRead(cid);
            if (word == Status.ABSENT) {
                return RETRY;
            }
            try {
                result = readAt(EntryWord.address(word), nodes.length(word), placeOf(index), scratch.bytes());
            } finally {
                nodes.leave(cid);
            }
        }
        return result == OUTSIDE ? readOutside(getLink(scratch.bytes()), scratch) : result;
    }

    private static long getLink(byte[] bytes) {
        long link = 0;
        for (int i = Long.BYTES - 1; i >= 0; i--) {
            link = link << Byte.SIZE | bytes[i] & 0xFF;
        }
        return link;
    }

    private int readOptimistic(long cid, int at, Scratch scratch) {
        int stripe = stripes.of(cid);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            long begun = stripes.begin(stripe);
            long entry = table.entry(CidLayout.index(cid));
            long word = entry == Table.NO_ENTRY ? 0 : memory.getLongAcquire(entry);
            if (!EntryWord.isReadable(word, cid)) {
                return RETRY;
            }
            if (!stripes.unchanged(stripe, begun)) {
                continue;
            }
            long length = nodes.length(word);
            if (stripes.unchanged(stripe, begun)) {             // a length in front of the chunk is proven only now
                int result = readAt(EntryWord.address(word), length, at, scratch.bytes());
                if (stripes.unchanged(stripe, begun)) {
                    return result;
                }
            }
        }
        return RETRY;
    }

    /** The same at an address; what it reads may be torn, so it stays inside of the chunk. */
    private int readAt(long address, long chunkBytes, int at, byte[] target) {
        int count = memory.getFieldShort(address);
        if (at >= count || count > SEGMENT || SegmentLayout.elementsAt(count, fixedBytes) > chunkBytes) {
            return Status.ABSENT;
        }
        int start;
        int end;
        if (fixedBytes >= 0) {
            start = at * fixedBytes;
            end = start + fixedBytes;
        } else {
            start = at == 0 ? 0 : memory.getFieldShort(address + SegmentLayout.endAt(at - 1)) & SegmentLayout.END_MASK;
            end = memory.getFieldShort(address + SegmentLayout.endAt(at)) & 0xFFFF;
        }
        int length = (end & SegmentLayout.END_MASK) - start;
        int from = SegmentLayout.elementsAt(count, fixedBytes) + start;
        if (length < 0 || length > SegmentLayout.INSIDE_BYTES_MAX || from + length > chunkBytes) {
            return Status.ABSENT;
        }
        if (length > 0) {
            memory.copyOut(address + from, target, 0, length);
        }
        return fixedBytes < 0 && (end & SegmentLayout.OUTSIDE) != 0 ? OUTSIDE : length;
    }

    private int readOutside(long cid, Scratch scratch) {
        for (;;) {
            int length = nodes.get(cid, scratch.bytes());
            if (length != Status.TOO_SMALL) {
                return length == Status.ABSENT ? RETRY : length;
            }
            scratch.grow();
        }
    }

    // ---- change one element ----

    /** What to do with the bytes of an element, under the lock of changes. */
    private interface Change<T> {
        T apply(byte[] bytes, int length, boolean outside);
    }

    /** Writes an element, outside if it is long, and gives its bytes to a change. */
    private <T> T write(E element, Change<T> change) {
        Objects.requireNonNull(element);
        Scratch scratch = spares.take();
        try {
            scratch.out().clear();
            codec.write(element, scratch.out());
            int length = scratch.out().size();
            byte[] bytes = scratch.out().array();
            changing.lock();
            try {
                checkNotDropped();
                if (length <= SegmentLayout.INSIDE_BYTES_MAX) {
                    return change.apply(bytes, length, false);
                }
                return writeOutside(bytes, length, change);
            } finally {
                changing.unlock();
                nodes.changed();
            }
        } finally {
            spares.give(scratch);
        }
    }

    private <T> T writeOutside(byte[] bytes, int length, Change<T> change) {
        long cid = nodes.create(bytes, 0, length);
        boolean done = false;
        try {
            T result = change.apply(segment.link(cid).clone(), SegmentLayout.LINK_BYTES, true);
            memoryBytes.addAndGet(takenOutside(cid));
            done = true;
            return result;
        } finally {
            if (!done) {
                nodes.remove(cid);
            }
        }
    }

    private void removeOutside(long cid) {
        memoryBytes.addAndGet(-takenOutside(cid));
        nodes.remove(cid);
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
        return write(element, (bytes, length, outside) -> {
            check(index, size);
            E old = wantsOld ? getAt(index) : null;
            int before = load(segmentOf(index), segment);
            int at = placeOf(index);
            long oldOutside = segment.isOutside(at) ? segment.cidOutside(at) : 0;
            segment.set(at, bytes, 0, length, outside);
            store(segmentOf(index), segment, before);
            if (oldOutside != 0) {
                removeOutside(oldOutside);
            }
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
        return write(element, (bytes, length, outside) -> {
            append(bytes, 0, length, outside);
            return true;
        });
    }

    private void append(byte[] bytes, int from, int length, boolean outside) {
        long number = segmentOf(size);
        int at = placeOf(size);
        int before = 0;
        if (at == 0) {
            segments.reserve(number);
            segment.clear();
        } else {
            before = load(number, segment);
        }
        segment.insert(at, bytes, from, length, outside);
        store(number, segment, before);
        if (at == 0) {
            segments.setCount(number + 1);
        }
        setSize(size + 1);
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField")    // under the lock of changes
    private void setSize(long newSize) {
        size = newSize;
    }

    @Override
    public void add(int index, E element) {
        write(element, (bytes, length, outside) -> {
            check(index, size + 1);
            if (index == size) {
                append(bytes, 0, length, outside);
            } else {
                insert(index, bytes, length, outside);
            }
            return true;
        });
    }

    /**
     * Puts the last element there once more, behind itself; then moves the last element of each segment to the next
     * one, from the end to the front, so that the list has an element twice but never lacks one; then replaces the one
     * that is there twice.
     */
    private void insert(long index, byte[] bytes, int length, boolean outside) {
        long stamp = shifting.writeLock();
        try {
            long last = size - 1;
            load(segmentOf(last), neighbour);
            int at = placeOf(last);
            append(neighbour.bytes(), neighbour.from(at), neighbour.length(at), neighbour.isOutside(at));
            makeRoomToInsert(index, last, length);
            for (long number = segmentOf(last); number > segmentOf(index); number--) {
                load(number - 1, neighbour);
                shiftRight(number, 0, neighbour.bytes(), neighbour.from(SEGMENT - 1), neighbour.length(SEGMENT - 1),
                    neighbour.isOutside(SEGMENT - 1));
            }
            shiftRight(segmentOf(index), placeOf(index), bytes, 0, length, outside);
        } finally {
            shifting.unlockWrite(stamp);
        }
    }

    /** Gives segments the room for what they will get, so that moving cannot fail; else the one that is twice goes. */
    private void makeRoomToInsert(long index, long last, int length) {
        boolean isDone = fixedBytes >= 0;
        try {
            for (long number = segmentOf(last); !isDone && number >= segmentOf(index); number--) {
                int got = length;
                if (number > segmentOf(index)) {
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

    private void makeRoomToRemove(long index) {
        int at = placeOf(index);
        for (long number = segmentOf(index); fixedBytes < 0 && number < segments.count() - 1; number++) {
            load(number + 1, neighbour);
            int before = load(number, segment);
            makeRoom(number, before, segment.used() - segment.length(at) + neighbour.length(0));
            at = 0;
        }
    }

    /** Makes the chunk of the loaded segment longer if it is shorter than what will be in it. */
    private void makeRoom(long number, int before, int needed) {
        if (needed > before) {
            nodes.store(segments.cidOf(number), segment.bytes(), 0, needed);
            memoryBytes.addAndGet(nodes.takenBytes(needed) - nodes.takenBytes(before));
        }
    }

    /** Takes the last element out, but leaves its chunk outside. */
    private void takeLast() {
        long number = segmentOf(size - 1);
        int before = load(number, segment);
        segment.remove(segment.count() - 1);
        storeOrRemove(number, before);
        setSize(size - 1);
    }

    private void storeOrRemove(long number, int before) {
        if (segment.count() > 0) {
            store(number, segment, before);
        } else {
            removeLast(number, before);
        }
    }

    /** Inserts into a segment, whose last element is in the next one already, or is there twice. */
    private void shiftRight(long number, int at, byte[] bytes, int from, int length, boolean outside) {
        int before = load(number, segment);
        segment.remove(segment.count() - 1);
        segment.insert(at, bytes, from, length, outside);
        store(number, segment, before);
    }

    @Override
    public E remove(int index) {
        changing.lock();
        try {
            checkNotDropped();
            check(index, size);
            E old = getAt(index);
            removeAt(index);
            return old;
        } finally {
            changing.unlock();
            nodes.changed();
        }
    }

    /** Removes the element at an index if there is one. */
    void removeIfThere(long index) {
        changing.lock();
        try {
            checkNotDropped();
            if (index < size) {
                removeAt(index);
            }
        } finally {
            changing.unlock();
            nodes.changed();
        }
    }

    /** Takes an element out, and moves the first element of each segment behind it to the one before. */
    private void removeAt(long index) {
        long stamp = index == size - 1 ? 0 : shifting.writeLock();
        try {
            makeRoomToRemove(index);
            long number = segmentOf(index);
            int before = load(number, segment);
            int at = placeOf(index);
            long outside = segment.isOutside(at) ? segment.cidOutside(at) : 0;
            segment.remove(at);
            for (; number < segments.count() - 1; number++) {
                int beforeNext = load(number + 1, neighbour);
                segment.insert(SEGMENT - 1, neighbour.bytes(), neighbour.from(0), neighbour.length(0),
                    neighbour.isOutside(0));
                store(number, segment, before);
                System.arraycopy(neighbour.bytes(), 0, segment.bytes(), 0, segment.bytes().length);
                segment.remove(0);
                before = beforeNext;
            }
            storeOrRemove(number, before);
            setSize(size - 1);
            if (outside != 0) {
                removeOutside(outside);
            }
        } finally {
            if (stamp != 0) {
                shifting.unlockWrite(stamp);
            }
        }
    }

    private void removeLast(long number, int bytes) {
        segments.setCount(number);
        storeAt(number, segment.clear(), SegmentLayout.COUNT_BYTES, bytes);
        memoryBytes.addAndGet(-nodes.takenBytes(bytes));
        segments.trim();
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
        return new ListPart<>(this, 0, Long.MAX_VALUE);
    }

    // ---- many elements ----

    @Override
    public void clear() {
        changing.lock();
        try {
            checkNotDropped();
            while (size > 0) {
                removeAt(size - 1);
            }
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
        for (long index = 0; index < size; index++) {
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
        checkNotDropped();
        return size;
    }

    @Override
    public long memoryBytes() {
        checkNotDropped();
        return memoryBytes.get() + segments.memoryBytes();
    }

    @Override
    public long root() {
        return segments.root();
    }

    @Override
    public void audit() {
        changing.lock();
        try {
            checkNotDropped();
            Sums sums = sums();
            if (sums.elements != size || sums.memoryBytes != memoryBytes.get()) {
                throw NodeIndex.damaged(nodes, root(), "has " + sums.elements + " elements in " + sums.memoryBytes
                    + " bytes, not " + size + " in " + memoryBytes.get());
            }
        } finally {
            changing.unlock();
        }
    }

    @Override
    public void drop() {
        changing.lock();
        try {
            clear();
            dropped = true;
            segments.remove();
        } finally {
            changing.unlock();
        }
        nodes.changed();
    }
}
