package io.teff.engine.sequence;

import java.util.ListIterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A walk over a list, which never fails, regardless of changes by other threads: an element that {@code hasNext} or
 * {@code hasPrevious} has announced is kept until it is returned. Each element that is in the list throughout is shown
 * exactly once per direction ({@link ListCursor}). A walk removes or replaces the last shown element, even if the
 * element was moved meanwhile. If the element was removed or replaced, the walk changes nothing. Not thread-safe.
 *
 * @param <E> type of the elements
 */
final class ListWalk<E> implements ListIterator<E> {
    private final ChunkSegmentList<E> list;
    private final ListCursor<E> cursor;
    private @Nullable E next;
    private @Nullable E previous;

    ListWalk(ChunkSegmentList<E> list, ListCursor<E> cursor) {
        this.list = list;
        this.cursor = cursor;
    }

    @Override
    public boolean hasNext() {
        if (next == null) {
            next = cursor.peekNext();
            previous = null;                                    // may be in another copy now
        }
        return next != null;
    }

    @Override
    public E next() {
        E element = shown(hasNext() ? next : null);
        cursor.pass();
        return element;
    }

    @Override
    public boolean hasPrevious() {
        if (previous == null) {
            previous = cursor.peekPrevious();
            next = null;
        }
        return previous != null;
    }

    @Override
    public E previous() {
        E element = shown(hasPrevious() ? previous : null);
        cursor.passBack();
        return element;
    }

    /** Returns an element before the move over it, or throws if there is none. */
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
        return (int) Math.min(cursor.index(), Integer.MAX_VALUE);
    }

    @Override
    public int previousIndex() {
        return (int) Math.min(cursor.index() - 1, Integer.MAX_VALUE);
    }

    private void checkShown() {
        if (!cursor.hasShown()) {
            throw new IllegalStateException("there is no element that was shown last");
        }
    }

    @Override
    public void remove() {
        checkShown();
        list.removeShown(cursor);
        changed();
        cursor.forget();
    }

    @Override
    public void set(E element) {
        checkShown();
        list.replaceShown(cursor, element);
        changed();
    }

    @Override
    public void add(E element) {
        add(element, true);
    }

    /** Adds an element at the position of the walk, which is behind it then, or in front of it. */
    void add(E element, boolean isBehind) {
        list.addAt(cursor, element, isBehind);
        changed();
        cursor.forget();
    }

    private void changed() {
        next = null;
        previous = null;
    }
}
