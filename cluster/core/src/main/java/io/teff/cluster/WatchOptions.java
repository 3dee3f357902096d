package io.teff.cluster;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The keys that a {@link ChangeStream} shows, and the place where the stream begins. Immutable.
 *
 * @param key the only key; null for several keys
 * @param prefix first chars of keys ({@code String}) or first bytes of keys ({@code byte[]}); null for all keys
 * @param from where the stream begins; null for the present
 * @param keptEvents most events that each partition keeps, if this is the first watch of the collection
 * @param keptBytes most bytes of events that each partition keeps, if this is the first watch of the collection
 */
public record WatchOptions(@Nullable Object key, @Nullable Object prefix, @Nullable WatchPosition from, int keptEvents,
                           long keptBytes) {
    /** Events that a partition keeps if nothing else is said. */
    public static final int KEPT_EVENTS = 1_024;
    /** Bytes of events that a partition keeps if nothing else is said. */
    public static final long KEPT_BYTES = 1 << 20;
    private static final int KEPT_EVENTS_MIN = 16;
    private static final int KEPT_EVENTS_MAX = 16_384;
    private static final long KEPT_BYTES_MIN = 64 << 10;
    private static final long KEPT_BYTES_MAX = 64L << 20;

    /** Checks the numbers: 16 to 16,384 events, and 64 KiB to 64 MiB. */
    public WatchOptions {
        if (key != null && prefix != null) {
            throw new IllegalArgumentException("a key and a prefix");
        }
        if (prefix != null && !(prefix instanceof String) && !(prefix instanceof byte[])) {
            throw new IllegalArgumentException("prefix of " + prefix.getClass() + " is no String or byte[]");
        }
        if (keptEvents < KEPT_EVENTS_MIN || keptEvents > KEPT_EVENTS_MAX) {
            throw new IllegalArgumentException("keptEvents=" + keptEvents + " is not of " + KEPT_EVENTS_MIN + " to "
                + KEPT_EVENTS_MAX);
        }
        if (keptBytes < KEPT_BYTES_MIN || keptBytes > KEPT_BYTES_MAX) {
            throw new IllegalArgumentException("keptBytes=" + keptBytes + " is not of " + KEPT_BYTES_MIN + " to "
                + KEPT_BYTES_MAX);
        }
    }

    /** {@return a watch of all keys, from now on} */
    public static WatchOptions all() {
        return new WatchOptions(null, null, null, KEPT_EVENTS, KEPT_BYTES);
    }

    /**
     * Returns a watch of one key, from now on. Only the owner of the key is asked.
     *
     * @param key the only key of the stream
     * @return the watch
     */
    public static WatchOptions ofKey(Object key) {
        return new WatchOptions(Objects.requireNonNull(key), null, null, KEPT_EVENTS, KEPT_BYTES);
    }

    /**
     * Returns a watch of strings that begin with a prefix, from now on.
     *
     * @param prefix first chars
     * @return the watch
     */
    public static WatchOptions ofPrefix(String prefix) {
        return new WatchOptions(null, Objects.requireNonNull(prefix), null, KEPT_EVENTS, KEPT_BYTES);
    }

    /**
     * Returns a watch of keys whose encoded form begins with bytes, from now on.
     *
     * @param prefix first bytes
     * @return the watch
     */
    public static WatchOptions ofPrefix(byte[] prefix) {
        return new WatchOptions(null, prefix.clone(), null, KEPT_EVENTS, KEPT_BYTES);
    }

    /**
     * Returns this watch from a saved position.
     *
     * @param position of an earlier stream of the collection
     * @return the watch
     */
    public WatchOptions from(WatchPosition position) {
        return new WatchOptions(key, prefix, Objects.requireNonNull(position), keptEvents, keptBytes);
    }

    /**
     * Returns this watch with other bounds. The first watch of a collection fixes the bounds.
     *
     * @param events most events that each partition keeps, 16 to 16,384
     * @param bytes most bytes of events that each partition keeps, 64 KiB to 64 MiB
     * @return the watch
     */
    public WatchOptions keeping(int events, long bytes) {
        return new WatchOptions(key, prefix, from, events, bytes);
    }
}
