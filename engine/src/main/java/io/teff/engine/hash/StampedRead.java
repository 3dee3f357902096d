package io.teff.engine.hash;

import org.jspecify.annotations.Nullable;

/**
 * What a read of a {@link StampedMap} has found. Not thread-safe.
 *
 * @param <V> type of the values
 */
public final class StampedRead<V> {
    private long hash;
    private boolean exists;
    private long deadline;
    private long written;
    private @Nullable V value;

    /** Creates a target for a read. */
    public StampedRead() {}

    void none() {
        begin(0, false, StampLayout.NEVER, StampLayout.NEVER);
    }

    void begin(long hashOfKey, boolean isThere, long deadlineStamp, long writtenStamp) {
        hash = hashOfKey;
        exists = isThere;
        deadline = deadlineStamp;
        written = writtenStamp;
        value = null;
    }

    void value(V read) {
        value = read;
    }

    boolean isLive(long nowMs) {
        return exists && !StampLayout.isOver(deadline, nowMs);
    }

    /** {@return the hash of the key; 0 if the codec refused the key} */
    public long hash() {
        return hash;
    }

    /** {@return whether there is an entry, expired or not} */
    public boolean exists() {
        return exists;
    }

    /** {@return the deadline} */
    public long deadline() {
        return deadline;
    }

    /** {@return the time of the last write} */
    public long written() {
        return written;
    }

    /** {@return the value, or null if there is no live entry} */
    public @Nullable V value() {
        return value;
    }
}
