package io.teff.cluster.net.stream;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Handlers by message type. Thread-safe. */
public final class HandlerTable {
    /** As long as the highest type with a handler requires. */
    private volatile @Nullable HandlerEntry[] entries = {};

    /** Sets the handler of a type, once. */
    synchronized void add(HandlerEntry entry) {
        final int type = entry.type().id();
        if (of(type) != null) {
            throw new IllegalArgumentException("type " + type + " has a handler already");
        }
        final @Nullable HandlerEntry[] more = Arrays.copyOf(entries, Math.max(entries.length, type + 1));
        more[type] = entry;
        entries = more;
    }

    /** Returns the handler of a type; null if the type has no handler. */
    @Nullable HandlerEntry of(int type) {
        final @Nullable HandlerEntry[] all = entries;
        return type < all.length ? all[type] : null;
    }
}
