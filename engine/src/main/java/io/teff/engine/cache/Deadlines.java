package io.teff.engine.cache;

import io.teff.engine.hash.StampLayout;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The deadlines of entries by the settings of a cache. Pure functions, apart from the application's {@link Lifetime}.
 *
 * @param writeMs duration after a write, or NONE
 * @param accessMs duration after a read or write, or NONE
 * @param refreshMs age at which a value is loaded again, or NONE
 * @param isPerEntry whether entries may have deadlines of their own
 * @param lifetime decides for each entry, or null
 * @param <K> type of the keys
 * @param <V> type of the values
 */
record Deadlines<K, V>(long writeMs, long accessMs, long refreshMs, boolean isPerEntry,
                       @Nullable Lifetime<? super K, ? super V> lifetime) {
    /** No duration. */
    static final long NONE = -1;

    /** An access moves a deadline in steps of this part of the duration, so that not each read writes. */
    private static final int STEP_SHIFT = 8;
    private static final int NS_PER_MS = 1_000_000;

    /** Returns the number of stamps of an entry. */
    int stamps() {
        boolean needsWritten = refreshMs != NONE || writeMs != NONE && accessMs != NONE;
        return needsWritten ? StampLayout.WRITTEN + 1 : isExpiring() ? StampLayout.DEADLINE + 1 : 0;
    }

    /** Returns whether entries have deadlines. */
    boolean isExpiring() {
        return writeMs != NONE || accessMs != NONE || isPerEntry || lifetime != null;
    }

    /** Returns whether a read may move a deadline. */
    boolean movesOnRead() {
        return accessMs != NONE || lifetime != null;
    }

    /** Rounds a duration up to milliseconds; negative ones are 0. */
    static long millis(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        if (duration.getSeconds() > StampLayout.DURATION_MAX_MS / 1_000) {
            return Long.MAX_VALUE;
        }
        return duration.getSeconds() * 1_000 + (duration.getNano() + NS_PER_MS - 1) / NS_PER_MS;
    }

    private static long after(@Nullable Duration duration, long nowMs) {
        return duration == null ? StampLayout.NEVER : StampLayout.deadline(nowMs, millis(duration));
    }

    /** Returns the time that is left, or null if there is no end. */
    static @Nullable Duration left(long deadline, long nowMs) {
        return deadline == StampLayout.NEVER ? null : Duration.ofMillis(-StampLayout.age(deadline, nowMs));
    }

    /** Returns the deadline of a new entry. */
    long onCreate(K key, V value, long nowMs) {
        return lifetime != null ? after(lifetime.afterCreate(key, value), nowMs) : onWrite(nowMs);
    }

    /** Returns the deadline of an entry that gets another value. */
    long onUpdate(K key, V value, long deadline, long nowMs) {
        if (lifetime == null) {
            return onWrite(nowMs);
        }
        Duration left = left(deadline, nowMs);
        Duration next = lifetime.afterUpdate(key, value, left);
        return next != null && next.equals(left) ? deadline : after(next, nowMs);
    }

    private long onWrite(long nowMs) {
        long written = writeMs == NONE ? StampLayout.NEVER : StampLayout.deadline(nowMs, writeMs);
        return accessMs == NONE ? written : earlier(written, accessed(nowMs), nowMs);
    }

    /** Returns the deadline of an entry that was read. */
    long onRead(K key, V value, long deadline, long written, long nowMs) {
        if (lifetime != null) {
            Duration left = left(deadline, nowMs);
            Duration next = lifetime.afterRead(key, value, left);
            return next != null && next.equals(left) ? deadline : after(next, nowMs);
        }
        if (accessMs == NONE) {
            return deadline;
        }
        long next = accessed(nowMs);
        if (writeMs == NONE || written == StampLayout.NEVER) {
            return next;
        }
        return earlier(next, StampLayout.deadline(nowMs - StampLayout.age(written, nowMs), writeMs), nowMs);
    }

    /** Returns the deadline after an access, rounded up to a step. */
    private long accessed(long nowMs) {
        if (accessMs > StampLayout.DURATION_MAX_MS) {
            return StampLayout.NEVER;
        }
        long step = Math.max(1, accessMs >> STEP_SHIFT);
        return StampLayout.deadline(nowMs, accessMs + Math.floorMod(-(nowMs + accessMs), step));
    }

    private static long earlier(long one, long other, long nowMs) {
        if (one == StampLayout.NEVER || other == StampLayout.NEVER) {
            return Math.min(one, other);                        // NEVER is the largest stamp
        }
        return StampLayout.age(one, nowMs) > StampLayout.age(other, nowMs) ? one : other;
    }

    /** Returns whether a value is old enough to be loaded again. */
    boolean isOld(long written, long nowMs) {
        return refreshMs != NONE && written != StampLayout.NEVER && StampLayout.age(written, nowMs) >= refreshMs;
    }
}
