package io.teff.bridge.jcache;

import java.util.Objects;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * One entry whose stripe this thread holds: every change of the cache uses this class.
 *
 * <p>The holder sees a live entry or none: an expired entry is removed first, and listeners are notified. A change is
 * complete, listeners included, before the stripe is released; {@link #close()} throws the exception of a listener,
 * after all work of the operation.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
final class LockedEntry<K, V> implements AutoCloseable {
    private final CacheCore<K, V> core;
    private final byte[] key;
    private final int stripe;
    private byte @Nullable [] entry;
    private @Nullable Throwable failure;

    private LockedEntry(CacheCore<K, V> core, byte[] key, int stripe) {
        this.core = core;
        this.key = key;
        this.stripe = stripe;
    }

    /**
     * Takes the stripe of a key and reads its entry.
     *
     * @throws IllegalStateException if the cache is closed
     * @throws javax.cache.CacheException if other threads hold the stripe until the timeout
     */
    static <K, V> LockedEntry<K, V> of(CacheCore<K, V> core, byte[] key) {
        core.checkOpen();
        core.listeners.admit(core.stripes);
        int stripe = EntryLocks.of(key);
        core.stripes.lock(stripe);
        return met(core, key, stripe);
    }

    /** Takes the stripe of a key and reads its entry if the stripe is free; otherwise returns null. */
    static <K, V> @Nullable LockedEntry<K, V> ifFree(CacheCore<K, V> core, byte[] key) {
        int stripe = EntryLocks.of(key);
        return core.stripes.tryLock(stripe) ? met(core, key, stripe) : null;
    }

    private static <K, V> LockedEntry<K, V> met(CacheCore<K, V> core, byte[] key, int stripe) {
        LockedEntry<K, V> held = new LockedEntry<>(core, key, stripe);
        boolean done = false;
        try {
            core.checkOpen();
            held.meet();
            done = true;
            return held;
        } finally {
            if (!done) {
                core.stripes.unlock(stripe);
            }
        }
    }

    private void meet() {
        byte[] found = core.table.get(key);
        if (found != null && core.expiry.isExpired(found)) {
            expire(found);
        } else {
            entry = found;
        }
    }

    private void expire(byte[] gone) {
        core.table.remove(key);
        entry = null;
        deliver(EventType.EXPIRED, gone, null);
    }

    // ---- reading ----

    boolean exists() {
        return entry != null;
    }

    /** {@return the value of the entry, which must exist, as a new object} */
    V value() {
        return core.value(there());
    }

    long expiryMs() {
        return EntryLayout.expiry(there());
    }

    private byte[] there() {
        return Objects.requireNonNull(entry, "there is not an entry");
    }

    // ---- changing ----

    /** Sets the time of expiry as the policy demands after an access. */
    void access() {
        long before = expiryMs();
        moveExpiry(before, core.expiry.ofAccess(before));
    }

    /** Replaces a time of expiry after an access. */
    void moveExpiry(long before, long expiryMs) {
        if (expiryMs == before) {
            return;
        }
        byte[] touched = there();
        if (EntryLayout.isOver(expiryMs, core.expiry.nowMs())) {
            expire(touched);
        } else {
            core.table.setExpiry(key, expiryMs);
            EntryLayout.setExpiry(touched, expiryMs);
            core.noteExpiry(expiryMs);
        }
    }

    /**
     * Creates the entry, or replaces its value.
     *
     * @param made the new entry, with an unset time of expiry
     * @return false if it has expired at once by the policy
     */
    boolean put(byte[] made) {
        byte[] before = entry;
        long expiryMs = before == null ? core.expiry.ofCreation() : core.expiry.ofUpdate(EntryLayout.expiry(before));
        boolean over = EntryLayout.isOver(expiryMs, core.expiry.nowMs());
        EntryLayout.setExpiry(made, expiryMs);
        if (over && before == null) {
            return false;
        }
        if (!over) {
            core.table.put(key, made);
            core.noteExpiry(expiryMs);
        }
        entry = made;
        deliver(before == null ? EventType.CREATED : EventType.UPDATED, before, made);
        if (over) {
            expire(made);
        }
        return true;
    }

    /**
     * Calls the writer, then puts. If there is no memory for the written value, the entry is removed, so that the cache
     * does not return an outdated value.
     */
    boolean writeAndPut(K writtenKey, V value, byte[] made) {
        core.writing.write(writtenKey, value);
        return putWritten(made);
    }

    /** Puts a value that the writer has written. */
    boolean putWritten(byte[] made) {
        boolean done = false;
        try {
            boolean put = put(made);
            done = true;
            return put;
        } finally {
            if (!done && core.writing.isThrough() && entry != null) {
                core.table.remove(key);
                entry = null;
                core.statistics.evicted();
            }
        }
    }

    void remove() {
        byte[] before = there();
        core.table.remove(key);
        entry = null;
        deliver(EventType.REMOVED, before, null);
    }

    private void deliver(EventType type, byte @Nullable [] before, byte @Nullable [] after) {
        Throwable thrown = core.listeners.deliver(type, key, before, after);
        if (failure == null) {
            failure = thrown;
        }
    }

    /** Releases the stripe, and throws the exception of a synchronous listener. */
    @Override
    public void close() {
        core.stripes.unlock(stripe);
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }
}
