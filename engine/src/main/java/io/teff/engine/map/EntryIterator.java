package io.teff.engine.map;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The iterator of a view. Removes the last shown key, or the last shown entry. An entry is removed only while its value
 * is the shown value, or a value written by the entry since.
 */
final class EntryIterator<K, V, T> implements Iterator<T> {
    private final WalkedMap<K, V> map;
    private final EntryCursor<K, V> cursor;
    private final Function<EntryCursor<K, V>, T> maker;
    /** The value of the last entry, or null if only keys are shown. */
    private final @Nullable EncodedBytes shown;
    private boolean more;
    private @Nullable K last;
    private @Nullable T lastMade;

    /**
     * Begins a walk.
     *
     * @param maker makes the element from the cursor's current entry
     */
    EntryIterator(WalkedMap<K, V> map, boolean hasValues, Function<EntryCursor<K, V>, T> maker) {
        this.map = map;
        this.cursor = map.range(hasValues).cursor();
        this.maker = maker;
        this.shown = hasValues ? new EncodedBytes() : null;
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
        if (shown != null) {
            cursor.copyValue(shown);
        }
        T made = maker.apply(cursor);
        lastMade = made;
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
        if (shown == null) {
            map.delete(removed);
        } else {
            removeShown(removed, shown);
        }
        lastMade = null;
    }

    /** Removes the last entry, unless another thread has changed it. */
    @SuppressWarnings("unchecked")
    private void removeShown(K key, EncodedBytes value) {
        if (lastMade instanceof WrittenEntry<?, ?> entry && entry.isWritten()) {
            map.encode((V) entry.getValue(), value);
        }
        map.removeShown(key, value);
    }
}
