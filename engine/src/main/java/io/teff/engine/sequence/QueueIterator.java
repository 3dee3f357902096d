package io.teff.engine.sequence;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The iterator of a queue. */
final class QueueIterator<E> implements Iterator<E> {
    private final ChunkFifo<E> queue;
    private final ChunkFifo<E>.Walk walk;
    private @Nullable E next;
    /** Segment of the element that was returned last, as long as it can be removed. */
    private long segment;
    private int at = -1;

    QueueIterator(ChunkFifo<E> queue) {
        this.queue = queue;
        this.walk = queue.walk();
        this.next = walk.next();
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
        segment = walk.segment();
        at = walk.at();
        next = walk.next();
        return element;
    }

    @Override
    public void remove() {
        if (at < 0) {
            throw new IllegalStateException("remove() needs a next() before it");
        }
        queue.mark(segment, at);
        at = -1;
    }
}
