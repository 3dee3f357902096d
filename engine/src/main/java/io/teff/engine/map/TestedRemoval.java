package io.teff.engine.map;

import java.util.Objects;
import java.util.function.BiPredicate;

/**
 * Removes entries that a test accepts. An entry is removed only with the value that was tested: if another thread has
 * changed the value meanwhile, the test decides again, on the present value. So an update that happens at the same time
 * is never removed untested. The test runs without a lock, once for each value that it is given. Not thread-safe.
 */
final class TestedRemoval<K, V> {
    private final WalkedMap<K, V> map;
    private final BiPredicate<? super K, ? super V> test;
    private final EncodedBytes shown = new EncodedBytes();

    TestedRemoval(WalkedMap<K, V> map, BiPredicate<? super K, ? super V> test) {
        this.map = map;
        this.test = Objects.requireNonNull(test);
    }

    /** Removes all entries that the test accepts; returns whether there was one. */
    boolean all() {
        boolean isChanged = false;
        try (EntryCursor<K, V> cursor = map.range(true).cursor()) {
            while (cursor.next()) {
                isChanged |= remove(cursor);
            }
        }
        return isChanged;
    }

    /** Removes the first entry that the test accepts; returns whether there was one. */
    boolean first() {
        try (EntryCursor<K, V> cursor = map.range(true).cursor()) {
            while (cursor.next()) {
                if (remove(cursor)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean remove(EntryCursor<K, V> cursor) {
        if (!test.test(cursor.key(), cursor.value())) {
            return false;
        }
        cursor.copyValue(shown);
        Removal removal = map.removeShown(cursor.key(), shown);
        while (removal == Removal.CHANGED && test.test(cursor.key(), map.decode(shown))) {
            removal = map.removeShown(cursor.key(), shown);
        }
        return removal == Removal.REMOVED;
    }
}
