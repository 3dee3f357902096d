package io.teff.engine.map;

import java.util.Comparator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The spliterator of a view, over a range that can be split. */
final class EntrySpliterator<K, V, T> implements Spliterator<T> {
    private final EntryRange<K, V> range;
    private final Function<EntryCursor<K, V>, T> maker;
    private final int characteristics;
    private final @Nullable Comparator<? super T> comparator;
    private @Nullable EntryCursor<K, V> cursor;

    /**
     * Creates a spliterator of a range that has no other user.
     *
     * @param maker makes the element from the cursor's current entry
     * @param comparator the order, if the characteristics contain SORTED and the order is not the natural one
     */
    EntrySpliterator(EntryRange<K, V> range, Function<EntryCursor<K, V>, T> maker, int characteristics,
                     @Nullable Comparator<? super T> comparator) {
        this.range = range;
        this.maker = maker;
        this.characteristics = characteristics | CONCURRENT | NONNULL;
        this.comparator = comparator;
    }

    private EntryCursor<K, V> cursor() {
        EntryCursor<K, V> begun = cursor;
        if (begun == null) {
            begun = range.cursor();
            cursor = begun;
        }
        return begun;
    }

    @Override
    public boolean tryAdvance(Consumer<? super T> action) {
        Objects.requireNonNull(action);
        EntryCursor<K, V> walk = cursor();
        if (!walk.next()) {
            return false;
        }
        action.accept(maker.apply(walk));
        return true;
    }

    @Override
    public void forEachRemaining(Consumer<? super T> action) {
        Objects.requireNonNull(action);
        try (EntryCursor<K, V> walk = cursor()) {
            while (walk.next()) {
                action.accept(maker.apply(walk));
            }
        }
    }

    @Override
    public @Nullable Spliterator<T> trySplit() {
        EntryRange<K, V> first = cursor == null ? range.cut() : null;
        return first == null ? null : new EntrySpliterator<>(first, maker, characteristics, comparator);
    }

    @Override
    public long estimateSize() {
        return range.estimate();
    }

    @Override
    public int characteristics() {
        return characteristics;
    }

    @Override
    public @Nullable Comparator<? super T> getComparator() {
        if (!hasCharacteristics(SORTED)) {
            throw new IllegalStateException("not sorted");
        }
        return comparator;
    }
}
