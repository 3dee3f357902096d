package io.teff.engine.hash;

import io.teff.engine.map.EncodedBytes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The entry of one key of a {@link StampedMap}, and what is to be done with it. Valid during one call, for one thread.
 *
 * <p>{@link #key} and {@link #value} decode on demand, so that a change that needs neither is not charged for them.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public final class StampedEntry<K, V> {
    /** Fate of an entry. */
    enum Step { KEEP, PUT, STAMP, REMOVE }

    private final StampedMap<K, V> map;
    private final HashOperation operation;
    private final int length;
    private long deadline;
    private long written;
    private Step step = Step.KEEP;
    private @Nullable V next;

    /** Creates the entry of an operation's key; {@code length} is that of its stamps and value, negative if absent. */
    StampedEntry(StampedMap<K, V> map, HashOperation operation, int length) {
        this.map = map;
        this.operation = operation;
        this.length = length;
        deadline = map.stamp(operation.bytes(), 0, length, StampLayout.DEADLINE);
        written = map.stamp(operation.bytes(), 0, length, StampLayout.WRITTEN);
    }

    /** {@return whether there is an entry, expired or not} */
    public boolean exists() {
        return length >= 0;
    }

    /**
     * Returns whether there is an entry that has not expired.
     *
     * @param nowMs the present time
     * @return whether the entry is to be seen
     */
    public boolean isLive(long nowMs) {
        return exists() && !StampLayout.isOver(deadline, nowMs);
    }

    /** {@return the hash of the key} */
    public long hash() {
        return operation.hash;
    }

    /** {@return the deadline, {@link StampLayout#NEVER} if the entry has none} */
    public long deadline() {
        return deadline;
    }

    /** {@return the time of the last write; {@link StampLayout#NEVER} if the map does not keep it} */
    public long written() {
        return written;
    }

    /** {@return the key as a new object} */
    public K key() {
        return map.key(operation);
    }

    /** {@return the value as a new object; there must be an entry} */
    public V value() {
        return map.value(operation.bytes(), 0, length, operation);
    }

    /** {@return the encoded key: equal keys have equal bytes} */
    public byte[] keyBytes() {
        return StampedMap.keyBytes(operation);
    }

    /**
     * Returns whether the value, without its stamps, has certain bytes.
     *
     * @param value the bytes
     * @return whether they are equal
     */
    public boolean hasBytes(EncodedBytes value) {
        int from = map.stampBytes();
        return value.isSame(operation.bytes(), from, length - from);
    }

    /**
     * Copies the bytes of the value, without its stamps.
     *
     * @param target receives them
     */
    public void copyValue(EncodedBytes target) {
        int from = map.stampBytes();
        target.set(operation.bytes(), from, length - from);
    }

    // ---- what is to be done ----

    /**
     * Has the entry put.
     *
     * @param value the new value
     * @param deadlineStamp the new deadline
     * @param writtenStamp the new time of the last write
     */
    public void put(V value, long deadlineStamp, long writtenStamp) {
        step = Step.PUT;
        next = value;
        deadline = deadlineStamp;
        written = writtenStamp;
    }

    /**
     * Has the deadline replaced; there must be an entry.
     *
     * @param deadlineStamp the new deadline
     */
    public void stamp(long deadlineStamp) {
        if (deadlineStamp != deadline) {
            step = Step.STAMP;
            deadline = deadlineStamp;
        }
    }

    /** Has the entry removed, if there is one. */
    public void remove() {
        step = exists() ? Step.REMOVE : Step.KEEP;
    }

    Step step() {
        return step;
    }

    int length() {
        return length;
    }

    V next() {
        return Objects.requireNonNull(next);
    }
}
