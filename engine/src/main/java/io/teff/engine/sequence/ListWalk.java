package io.teff.engine.sequence;

import io.teff.engine.storage.EncodedBytes;
import java.util.ListIterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A walk over a list by index, which never fails, regardless of changes by other threads: an element that
 * {@code hasNext} or {@code hasPrevious} has announced is kept until it is returned, and the walk ends at the current
 * end of the list. A walk removes or replaces the last shown element, even if the element was moved meanwhile. If the
 * element was removed or replaced, the walk changes nothing. Not thread-safe.
 *
 * @param <E> type of the elements
 */
final class ListWalk<E> implements ListIterator<E> {
    private final ChunkSegmentList<E> list;
    /** Index of the next element. */
    private long place;
    private @Nullable E next;
    private @Nullable E previous;
    /** Bytes of {@link #next} and {@link #previous}. */
    private EncodedBytes nextBytes = new EncodedBytes();
    private EncodedBytes previousBytes = new EncodedBytes();
    /** Index of the element that was returned last and can be removed or replaced, or -1. */
    private long last = -1;
    /** Bytes of that element. */
    private EncodedBytes shown = new EncodedBytes();

    ListWalk(ChunkSegmentList<E> list, long place) {
        this.list = list;
        this.place = place;
    }

    @Override
    public boolean hasNext() {
        if (next == null) {
            next = list.find(place, nextBytes);
        }
        return next != null;
    }

    @Override
    public E next() {
        E element = shown(hasNext() ? next : null);
        EncodedBytes unused = shown;
        shown = nextBytes;
        nextBytes = unused;
        last = place++;
        return element;
    }

    @Override
    public boolean hasPrevious() {
        while (previous == null && place > 0) {
            previous = list.find(place - 1, previousBytes);
            if (previous == null) {                             // the list is shorter now
                place = Math.min(place - 1, list.longSize());
                next = null;
            }
        }
        return previous != null;
    }

    @Override
    public E previous() {
        E element = shown(hasPrevious() ? previous : null);
        EncodedBytes unused = shown;
        shown = previousBytes;
        previousBytes = unused;
        last = --place;
        return element;
    }

    /** Returns an element after the move over it, or throws if there is none. */
    private E shown(@Nullable E element) {
        if (element == null) {
            throw new NoSuchElementException();
        }
        next = null;
        previous = null;
        return element;
    }

    @Override
    public int nextIndex() {
        return (int) Math.min(place, Integer.MAX_VALUE);
    }

    @Override
    public int previousIndex() {
        return (int) Math.min(place - 1, Integer.MAX_VALUE);
    }

    private long lastShown() {
        if (last < 0) {
            throw new IllegalStateException("there is no element that was shown last");
        }
        return last;
    }

    @Override
    public void remove() {
        long removed = list.removeShown(lastShown(), shown);
        if (removed >= 0 && removed < place) {
            place--;
        }
        changed();
    }

    @Override
    public void set(E element) {
        list.replaceShown(lastShown(), shown, element);
        next = null;
        previous = null;
    }

    @Override
    public void add(E element) {
        list.addNear(place, element);
        place++;
        changed();
    }

    private void changed() {
        last = -1;
        next = null;
        previous = null;
    }
}
