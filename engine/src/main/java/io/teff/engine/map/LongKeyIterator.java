package io.teff.engine.map;

import io.teff.engine.collect.LongKeyed;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;

/** The iterator over keys that are numbers; it boxes no key. Not thread-safe. */
public final class LongKeyIterator implements PrimitiveIterator.OfLong {
    private final LongKeyed<?> map;
    private final LongCursor cursor;
    private boolean more;
    private boolean removable;
    private long last;

    /**
     * Begins a walk.
     *
     * @param map the map from which {@link #remove} removes
     * @param cursor positioned before the first entry
     */
    public LongKeyIterator(LongKeyed<?> map, LongCursor cursor) {
        this.map = map;
        this.cursor = cursor;
        this.more = cursor.next();
    }

    @Override
    public boolean hasNext() {
        return more;
    }

    @Override
    public long nextLong() {
        if (!more) {
            throw new NoSuchElementException();
        }
        last = cursor.number();
        more = cursor.next();
        removable = true;
        return last;
    }

    @Override
    public void remove() {
        if (!removable) {
            throw new IllegalStateException("remove() needs a next() before it");
        }
        removable = false;
        map.delete(last);
    }
}
