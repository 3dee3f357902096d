package io.teff.bridge.jcache;

import java.util.Objects;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * One entry whose stripe this thread holds: every change of the cache goes through here.
 *
 * <p>Whoever gets one sees an entry that lives, or none: what has expired is removed first, and listeners hear of it.
 * A change is complete, listeners included, before the stripe is given back; what they have thrown is thrown by
 * {@link #close()}, when the operation has done all of its work.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
final class HeldEntry<K, V> implements AutoCloseable {
    private final CacheCore<K, V> core;
    private final byte[] key;
    private final int stripe;
    private byte @Nullable [] entry;
    private @Nullable Throwable failure;

    private HeldEntry(CacheCore<K, V> core, byte[] key, int stripe) {
        this.core = core;
        this.key = key;
        this.stripe = stripe;
    }

    /**
     * Takes the stripe of a key and looks at its entry.
     *
     * @throws IllegalStateException if the cache is closed
     * @throws javax.cache.CacheException if others have had the stripe for too long
     */
    static <K, V> HeldEntry<K, V> of(CacheCore<K, V> core, byte[] key) {
        core.checkOpen();
        core.listeners.admit(core.stripes);
        int stripe = Stripes.of(key);
        core.stripes.lock(stripe);
        return met(core, key, stripe);
    }

    /** The same if the stripe is free, else null. */
    static <K, V> @Nullable HeldEntry<K, V> ifFree(CacheCore<K, V> core, byte[] key) {
        int stripe = Stripes.of(key);
        return core.stripes.tryLock(stripe) ? met(core, key, stripe) : null;
    }

    private static <K, V> HeldEntry<K, V> met(CacheCore<K, V> core, byte[] key, int stripe) {
        HeldEntry<K, V> held = new HeldEntry<>(core, key, stripe);
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
        tell(EventType.EXPIRED, gone, null);
    }

    // ---- looking ----

    boolean exists() {
        return entry != null;
    }

    /** {@return the value of the entry that is there, a new object} */
    V value() {
        return core.value(there());
    }

    long expiryMs() {
        return EntryLayout.expiry(there());
    }

    private byte[] there() {
        return Objects.requireNonNull(entry, "there is no entry");
    }

    // ---- changing ----

    /** Lets the entry live for as long as the policy says after an access. */
    void access() {
        long before = expiryMs();
        moveExpiry(before, core.expiry.ofAccess(before));
    }

    /** Sets the time of expiry to what an access has made of it. */
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
     * Makes the entry, or gives it a new value.
     *
     * @param made the value, as an entry whose time of expiry is open
     * @return false if the policy says that it has expired before it began
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
        tell(before == null ? EventType.CREATED : EventType.UPDATED, before, made);
        if (over) {
            expire(made);
        }
        return true;
    }

    /**
     * Tells the writer, then puts. If there is no memory for what was written, the entry goes, so that the cache does
     * not show what is no longer so.
     */
    boolean writeAndPut(K writtenKey, V value, byte[] made) {
        core.writing.write(writtenKey, value);
        return putWritten(made);
    }

    /** Puts what the writer has been told of. */
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
        tell(EventType.REMOVED, before, null);
    }

    private void tell(EventType type, byte @Nullable [] before, byte @Nullable [] after) {
        Throwable thrown = core.listeners.tell(type, key, before, after);
        if (failure == null) {
            failure = thrown;
        }
    }

    /** Gives the stripe back, and throws what a synchronous listener has thrown. */
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
