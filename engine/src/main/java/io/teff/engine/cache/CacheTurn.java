package io.teff.engine.cache;

import io.teff.engine.hash.StampedEntry;
import org.jspecify.annotations.Nullable;

/**
 * One change of one entry: what it has removed, to be counted and reported when the writer lock is released. Not
 * thread-safe.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
final class CacheTurn<K, V> {
    private final long nowMs;
    private final boolean isHeard;
    private long hash;
    private boolean wasLive;
    private boolean isAdded;
    private boolean isPut;
    private @Nullable V before;
    private @Nullable RemovalCause cause;
    private @Nullable K removedKey;
    private @Nullable V removed;

    /** Begins a turn; {@code isHeard} tells whether the removed entry will be reported. */
    CacheTurn(long nowMs, boolean isHeard) {
        this.nowMs = nowMs;
        this.isHeard = isHeard;
    }

    long nowMs() {
        return nowMs;
    }

    /** Notes the entry as it is; called first, under the lock. */
    void see(StampedEntry<K, V> entry) {
        hash = entry.hash();
        wasLive = entry.isLive(nowMs);
    }

    /** Decodes the live value, to return it, or null. */
    @Nullable V readBefore(StampedEntry<K, V> entry) {
        before = wasLive ? entry.value() : null;
        return before;
    }

    /** Has the entry removed, if there is one. An entry whose time is over has expired, whatever removes it. */
    void remove(StampedEntry<K, V> entry, RemovalCause why) {
        leave(entry, why);
        entry.remove();
    }

    /** Has another value put. */
    void put(StampedEntry<K, V> entry, V value, long deadline, long written) {
        leave(entry, RemovalCause.REPLACED);
        entry.put(value, deadline, written);
        isPut = true;
        isAdded = !entry.exists();
    }

    private void leave(StampedEntry<K, V> entry, RemovalCause why) {
        if (entry.exists()) {
            cause = wasLive ? why : RemovalCause.EXPIRED;
            if (isHeard) {
                removedKey = entry.key();
                removed = entry.value();                        // a function may have modified the object it was given
            }
        }
    }

    // ---- afterwards ----

    long hash() {
        return hash;
    }

    boolean wasLive() {
        return wasLive;
    }

    boolean isPut() {
        return isPut;
    }

    /** Returns whether there was no entry at all before a put. */
    boolean isAdded() {
        return isAdded;
    }

    @Nullable V before() {
        return before;
    }

    /** Returns why an entry or a value has left the map, or null. */
    @Nullable RemovalCause cause() {
        return cause;
    }

    /** Reports what has left the map. */
    void report(RemovalListener<? super K, ? super V> listener) {
        RemovalCause why = cause;
        K key = removedKey;
        V value = removed;
        if (why != null && key != null && value != null) {
            try {
                listener.removed(key, value, why);
            } catch (RuntimeException e) {
                Thread thread = Thread.currentThread();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            }
        }
    }
}
