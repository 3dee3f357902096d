package io.teff.engine.map;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The iterator of a view. */
final class EntryIterator<K, V, T> implements Iterator<T> {
    private final AtomicMap<K, V> map;
    private final EntryCursor<K, V> cursor;
    private final Function<EntryCursor<K, V>, T> maker;
    private boolean more;
    private @Nullable K last;

    /**
     * Begins a walk.
     *
     * @param maker makes the element from the cursor's current entry
     */
    EntryIterator(AtomicMap<K, V> map, boolean hasValues, Function<EntryCursor<K, V>, T> maker) {
        this.map = map;
        this.cursor = map.range(hasValues).cursor();
        this.maker = maker;
        this.more = cursor.next();
    }

    @Override
    public boolean hasNext() {
        return more;
    }

    @Override
    public T next() {
        if (!more) {
            throw new NoSuchElementException();
        }
        last = cursor.key();
        T made = maker.apply(cursor);
        more = cursor.next();
        return made;
    }

    @Override
    public void remove() {
        K removed = last;
        if (removed == null) {
            throw new IllegalStateException("remove() needs a next() before it");
        }
        last = null;
        map.delete(removed);
    }
}
