package io.teff.engine.sequence;

import io.teff.engine.codec.Codec;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.error.Status;
import io.teff.engine.node.Life;
import io.teff.engine.node.NodeIndex;
import io.teff.engine.node.Nodes;
import io.teff.engine.node.Rooted;
import io.teff.engine.node.Scratch;
import io.teff.engine.node.Spares;
import java.util.AbstractQueue;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The queue over a {@link QueueChain}: turns elements into bytes and back. Who adds holds one lock, who takes or
 * removes another (the two locks of Michael and Scott 1996).
 *
 * @param <E> type of the elements
 */
public final class ChunkFifo<E> extends AbstractQueue<E> implements ChunkQueue<E>, Rooted {
    private final Nodes nodes;
    private final Codec<E> codec;
    private final QueueChain chain;
    private final Outside outside;
    private final Life life;
    private final Spares<Scratch> spares = new Spares<>(Scratch::new, Scratch::isKept);
    private final ReentrantLock adding = new ReentrantLock();
    private final ReentrantLock taking = new ReentrantLock();

    private ChunkFifo(Nodes nodes, Codec<E> codec, QueueChain chain) {
        this.nodes = nodes;
        this.codec = codec;
        this.chain = chain;
        this.outside = chain.outside();
        this.life = chain.life();
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
    public static <E> ChunkFifo<E> open(Nodes nodes, long cid, Codec<E> codec) {
        return new ChunkFifo<>(nodes, codec, QueueChain.open(nodes, cid));
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
                add(scratch.out().array(), length, length);
            } else {
                addOutside(scratch, length);
            }
            return true;
        } finally {
            spares.give(scratch);
        }
    }

    /** Adds the element that the scratch has written, in a chunk of its own. */
    private void addOutside(Scratch scratch, int length) {
        long cid = nodes.create(scratch.out().array(), 0, length);
        boolean done = false;
        try {
            scratch.out().clear();
            scratch.out().putLong(cid);
            add(scratch.out().array(), Outside.LINK_BYTES, Outside.LINK_BYTES | QueueLayout.OUTSIDE);
            done = true;
        } finally {
            if (!done) {
                nodes.remove(cid);
            }
        }
    }

    private void add(byte[] bytes, int length, int record) {
        adding.lock();
        try {
            life.checkNotDropped();
            chain.add(bytes, length, record);
        } finally {
            adding.unlock();
        }
        nodes.changed();
    }

    // ---- take ----

    @Override
    public @Nullable E poll() {
        Scratch scratch = spares.take();
        try {
            int record = take(scratch, true);
            return record == QueueChain.NONE ? null : taken(record, scratch);
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
                E element = record == QueueChain.NONE ? null : read(record, scratch.bytes(), 0, scratch);
                if (record == QueueChain.NONE || element != null) {
                    return element;
                }                                               // else it lay outside and was taken: the next one
            }
        } finally {
            spares.give(scratch);
        }
    }

    private int take(Scratch scratch, boolean remove) {
        taking.lock();
        try {
            life.checkNotDropped();
            return chain.take(scratch, remove);
        } finally {
            taking.unlock();
        }
    }

    /** The object of a record that is in the scratch and nobody else's; its chunk outside goes. */
    private E taken(int record, Scratch scratch) {
        long cid = QueueLayout.isOutside(record) ? Outside.link(scratch.bytes(), 0) : 0;
        try {
            E element = read(record, scratch.bytes(), 0, scratch);
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

    /** The object of a record whose bytes are in an array, or null if it lay outside and is gone. */
    private @Nullable E read(int record, byte[] bytes, int from, Scratch scratch) {
        if (!QueueLayout.isOutside(record)) {
            return scratch.read(codec, bytes, from, QueueLayout.length(record));
        }
        int length = outside.copy(Outside.link(bytes, from), scratch);
        return length == Status.ABSENT ? null : scratch.read(codec, scratch.bytes(), 0, length);
    }

    @Override
    public void clear() {
        Scratch scratch = new Scratch();
        for (long left = longSize(); left > 0; left--) {
            int record = take(scratch, true);
            if (record == QueueChain.NONE) {
                return;
            }
            if (QueueLayout.isOutside(record)) {
                nodes.remove(Outside.link(scratch.bytes(), 0));
            }
        }
    }

    // ---- walk ----

    /** A walk over the elements. Not thread-safe. */
    final class Walk {
        private final QueueWalk records = new QueueWalk(chain);
        private final Scratch scratch = new Scratch();

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
        taking.lock();
        try {
            return chain.mark(segment, at);
        } finally {
            taking.unlock();
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
        adding.lock();
        taking.lock();
        try {
            clear();
            life.drop();
            chain.remove();
        } finally {
            taking.unlock();
            adding.unlock();
        }
        nodes.changed();
    }
}
