package io.teff.engine.map;

import java.util.AbstractMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** An entry as shown by a walk. Changes of the entry are written to the map. */
final class WrittenEntry<K, V> extends AbstractMap.SimpleEntry<K, V> {
    private static final long serialVersionUID = 1L;

    private final transient ConcurrentMap<K, V> map;
    private transient boolean isWritten;

    WrittenEntry(ConcurrentMap<K, V> map, K key, V value) {
        super(key, value);
        this.map = map;
    }

    /**
     * Replaces the value in the map, as {@link ConcurrentMap#replace(Object, Object)} does. An entry that was removed
     * meanwhile stays removed.
     *
     * @param value not null
     * @return the replaced value, perhaps put by another thread after this entry was shown; or null if the entry was
     *     removed
     */
    @Override
    @SuppressWarnings("NullAway")                               // null if the entry was removed
    public @Nullable V setValue(V value) {
        V before = map.replace(getKey(), value);
        if (before != null) {
            super.setValue(value);
            isWritten = true;
        }
        return before;
    }

    /** Returns whether the entry has a value that it has written itself. */
    boolean isWritten() {
        return isWritten;
    }
}
