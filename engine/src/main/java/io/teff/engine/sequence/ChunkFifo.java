package io.teff.engine.sequence;

import io.teff.engine.codec.Codec;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.error.Status;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CodecBuffers;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.CollectionState;
import io.teff.engine.storage.ObjectPool;
import io.teff.engine.storage.RootedCollection;
import io.teff.engine.storage.WriterLock;
import java.util.AbstractQueue;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The queue over a {@link QueueChain}: turns elements into bytes and back. Who adds holds one lock, who takes or
 * removes another (the two locks of Michael and Scott 1996).
 *
 * @param <E> type of the elements
 */
public final class ChunkFifo<E> extends AbstractQueue<E> implements ChunkQueue<E>, RootedCollection {
    private final CollectionChunks nodes;
    private final Codec<E> codec;
    private final QueueChain chain;
    private final OverflowElements outside;
    private final CollectionState life;
    private final ObjectPool<CodecBuffers> spares = new ObjectPool<>(CodecBuffers::new, CodecBuffers::isKept);
    private final WriterLock adding;
    /** The same one where changes are kept: what is kept of a segment has what both sides have done. */
    private final WriterLock taking;

    private ChunkFifo(CollectionChunks nodes, Codec<E> codec, QueueChain chain) {
        this.nodes = nodes;
        this.codec = codec;
        this.chain = chain;
        this.outside = chain.outside();
        this.life = chain.life();
        this.adding = new WriterLock(nodes);
        this.taking = nodes.isKept() ? adding : new WriterLock(nodes);
    }

    /**
     * Makes an empty queue.
     *
     * @param <E> type of the elements
     * @param nodes the store
     * @param codec of the elements
     * @return the queue
     */
    public static <E> ChunkFifo<E> make(CollectionChunks nodes, Codec<E> codec) {
        return new ChunkFifo<>(nodes, codec, QueueChain.make(nodes));
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
    public static <E> ChunkFifo<E> open(CollectionChunks nodes, long cid, Codec<E> codec) {
        return new ChunkFifo<>(nodes, codec, QueueChain.open(nodes, cid));
    }

    // ---- add ----

    @Override
    public boolean offer(E element) {
        Objects.requireNonNull(element);
        CodecBuffers scratch = spares.take();
        try {
            scratch.out().clear();
            codec.write(element, scratch.out());
            add(scratch);
            return true;
        } finally {
            spares.give(scratch);
        }
    }

    /** Adds the element that the scratch has written; what is long gets a chunk of its own before the lock is taken. */
    private void add(CodecBuffers scratch) {
        int length = scratch.out().size();
        nodes.begin();
        if (length <= QueueLayout.INSIDE_BYTES_MAX) {
            add(scratch.out().array(), length);
        } else {
            long link = nodes.create(scratch.out().array(), 0, length);
            scratch.out().clear();
            scratch.out().putLong(link);
            add(scratch.out().array(), OverflowElements.LINK_BYTES | QueueLayout.OUTSIDE);
        }
    }

    private void add(byte[] bytes, int record) {
        adding.lock();
        try {
            addLocked(bytes, record);
        } finally {
            adding.unlock();
            nodes.changed();
        }
    }

    /** From the moment in which the record is there, its chunk is the queue's, also if that cannot be kept. */
    private void addLocked(byte[] bytes, int record) {
        boolean isAdded = false;
        try {
            life.checkNotDropped();
            chain.add(bytes, QueueLayout.length(record), record);
            isAdded = true;
        } finally {
            if (!isAdded && QueueLayout.isOutside(record)) {
                nodes.remove(OverflowElements.link(bytes, 0));
            }
        }
    }

    // ---- take ----

    @Override
    public @Nullable E poll() {
        CodecBuffers scratch = spares.take();
        try {
            int length = poll(scratch, true);
            return length == QueueChain.NONE ? null : scratch.read(codec, scratch.bytes(), 0, length);
        } finally {
            spares.give(scratch);
        }
    }

    /** Takes the first element out; its length if it is wanted, and in the scratch then, or {@link QueueChain#NONE}. */
    private int poll(CodecBuffers scratch, boolean isWanted) {
        nodes.begin();
        taking.lock();
        try {
            life.checkNotDropped();
            int record = chain.take(scratch);
            return record == QueueChain.NONE ? QueueChain.NONE
                : QueueLayout.isOutside(record) ? pollOutside(scratch, isWanted) : QueueLayout.length(record);
        } finally {
            taking.unlock();
            nodes.changed();
        }
    }

    private int pollOutside(CodecBuffers scratch, boolean isWanted) {
        long cid = OverflowElements.link(scratch.bytes(), 0);
        int length = isWanted ? outside.copy(cid, scratch) : 0;
        if (length == Status.ABSENT) {
            throw ChunkIndex.damaged(nodes, cid, "is gone");
        }
        long outsideBytes = outside.takenBytes(cid);
        nodes.remove(cid);
        chain.passOutside(outsideBytes);
        return length;
    }

    @Override
    public @Nullable E peek() {
        CodecBuffers scratch = spares.take();
        try {
            for (;;) {
                int record = first(scratch);
                E element = record == QueueChain.NONE ? null : read(record, scratch.bytes(), 0, scratch);
                if (record == QueueChain.NONE || element != null) {
                    return element;
                }                                               // else it lay outside and was taken: the next one
            }
        } finally {
            spares.give(scratch);
        }
    }

    /** The record of the first element, its bytes or its link are in the scratch; or {@link QueueChain#NONE}. */
    private int first(CodecBuffers scratch) {
        taking.lock();
        try {
            life.checkNotDropped();
            return chain.peek(scratch);
        } finally {
            taking.unlock();
        }
    }

    /** The object of a record whose bytes are in an array, or null if it lay outside and is gone. */
    private @Nullable E read(int record, byte[] bytes, int from, CodecBuffers scratch) {
        if (!QueueLayout.isOutside(record)) {
            return scratch.read(codec, bytes, from, QueueLayout.length(record));
        }
        int length = outside.copy(OverflowElements.link(bytes, from), scratch);
        return length == Status.ABSENT ? null : scratch.read(codec, scratch.bytes(), 0, length);
    }

    @Override
    public void clear() {
        CodecBuffers scratch = new CodecBuffers();
        for (long left = longSize(); left > 0; left--) {
            if (poll(scratch, false) == QueueChain.NONE) {
                return;
            }
        }
    }

    // ---- walk ----

    /** A walk over the elements. Not thread-safe. */
    final class Walk {
        private final QueueWalk records = new QueueWalk(chain);
        private final CodecBuffers scratch = new CodecBuffers();

        private Walk() {}

        /** The next element, or null at the end. */
        @Nullable E next() {
            while (records.step()) {
                E element = read(records.record(), records.bytes(), records.from(), scratch);
                if (element != null) {                          // else it lay outside and was taken
                    return element;
                }
            }
            return null;
        }

        /** The segment of the element. */
        long segment() {
            return records.segment();
        }

        /** Where it is there. */
        int at() {
            return records.at();
        }
    }

    Walk walk() {
        life.check();
        return new Walk();
    }

    /** Removes an element from the middle; false if somebody else has taken it. */
    boolean mark(long segment, int at) {
        nodes.begin();
        taking.lock();
        try {
            return chain.mark(segment, at);
        } finally {
            taking.unlock();
            nodes.changed();
        }
    }

    @Override
    public Iterator<E> iterator() {
        return new QueueIterator<>(this);
    }

    @Override
    public boolean remove(@Nullable Object element) {
        if (element == null) {
            return false;
        }
        Walk walk = walk();
        for (E other = walk.next(); other != null; other = walk.next()) {
            if (element.equals(other) && mark(walk.segment(), walk.at())) {
                return true;
            }
        }
        return false;
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
        life.check();
        return chain.count();
    }

    @Override
    public long memoryBytes() {
        life.check();
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
            life.check();
            chain.audit();
        } finally {
            taking.unlock();
            adding.unlock();
        }
    }

    @Override
    public void drop() {
        nodes.begin();
        adding.lock();
        taking.lock();
        try {
            clear();
            life.drop();
            nodes.openGroup();                                  // to go together with the name
            chain.remove();
        } finally {
            taking.unlock();
            adding.unlock();
        }
        nodes.changed();
    }
}
