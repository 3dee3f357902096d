package io.teff.engine.sequence;

import io.teff.engine.collect.ChunkList;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a list from one index to another, or up to the end of the list at the time of the walk. Splits
 * between segments. Not thread-safe.
 *
 * @param <E> type of the elements
 */
final class ListSpliterator<E> implements Spliterator<E> {
    private final ChunkSegmentList<E> list;
    private long place;
    private long end;

    ListSpliterator(ChunkSegmentList<E> list, long place, long end) {
        this.list = list;
        this.place = place;
        this.end = end;
    }

    @Override
    public boolean tryAdvance(Consumer<? super E> action) {
        Objects.requireNonNull(action);
        E element = place < end ? list.find(place) : null;
        if (element == null) {
            end = place;
            return false;
        }
        place++;
        action.accept(element);
        return true;
    }

    @Override
    public @Nullable Spliterator<E> trySplit() {
        long behind = Math.min(end, list.longSize());
        long middle = place + (behind - place) / 2;
        middle -= middle % ChunkList.SEGMENT;
        if (middle <= place) {
            return null;
        }
        Spliterator<E> front = new ListSpliterator<>(list, place, middle);
        place = middle;
        return front;
    }

    @Override
    public long estimateSize() {
        return Math.max(Math.min(end, list.longSize()) - place, 0);
    }

    @Override
    public int characteristics() {
        return ORDERED | NONNULL;
    }
}
