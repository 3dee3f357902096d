package io.teff.cluster.net.stream;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What is done with messages, by their types. Thread-safe. */
public final class HandlerTable {
    /** As long as the highest type that is handled needs. */
    private volatile @Nullable HandlerEntry[] entries = {};

    /** Sets what is done with a type. */
    synchronized void add(HandlerEntry entry) {
        final int type = entry.type().id();
        if (of(type) != null) {
            throw new IllegalArgumentException("type " + type + " has a handler already");
        }
        final @Nullable HandlerEntry[] more = Arrays.copyOf(entries, Math.max(entries.length, type + 1));
        more[type] = entry;
        entries = more;
    }

    /** What is done with a type; null if nobody has said. */
    @Nullable HandlerEntry of(int type) {
        final @Nullable HandlerEntry[] all = entries;
        return type < all.length ? all[type] : null;
    }
}
