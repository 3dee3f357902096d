package io.teff.engine.sequence;

import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a list from one boundary to another, or up to the end. Splits between segments: the boundary of a
 * split stays between the same elements, whatever other threads insert and remove. Not thread-safe.
 *
 * @param <E> type of the elements
 */
final class ListSpliterator<E> implements Spliterator<E> {
    private final ChunkSegmentList<E> list;
    private final ListCopier copier;
    private ListCursor<E> cursor;

    ListSpliterator(ChunkSegmentList<E> list, ListCopier copier, ListCursor<E> cursor) {
        this.list = list;
        this.copier = copier;
        this.cursor = cursor;
    }

    @Override
    public boolean tryAdvance(Consumer<? super E> action) {
        Objects.requireNonNull(action);
        E element = cursor.peekNext();
        if (element == null) {
            return false;
        }
        cursor.pass();
        action.accept(element);
        return true;
    }

    /** Returns about the index where the elements end. */
    private long end() {
        ListPlace fence = cursor.fence();
        return fence == null ? list.longSize() : copier.nearIndexOf(fence);
    }

    @Override
    public @Nullable Spliterator<E> trySplit() {
        ListPlace end = cursor.fence();
        ListPlace middle = cursor.endInTheMiddle();
        if (middle == null) {
            return null;
        }
        Spliterator<E> front = new ListSpliterator<>(list, copier, cursor);
        cursor = new ListCursor<>(list, copier, 0, middle, end);
        return front;
    }

    @Override
    public long estimateSize() {
        return Math.max(end() - cursor.index(), 0);
    }

    @Override
    public int characteristics() {
        return ORDERED | NONNULL;
    }
}
