package io.teff.nio.selector.link;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The links of a worker by number. Thread-safe, except {@link #ofPiece}: the handler of messages asks for the same link
 * again and again, and so remembers the link until any link is removed.
 */
final class PieceLinks {
    private final Map<Long, ByteLink> links = new ConcurrentHashMap<>();
    private final AtomicInteger removals = new AtomicInteger();
    // ---- of the handler, which runs in one thread at a time ----
    private @Nullable ByteLink recent;
    private int seenRemovals;

    void put(ByteLink link) {
        links.put(link.number(), link);
    }

    @Nullable ByteLink get(long number) {
        return links.get(number);
    }

    /** {@return the link of a piece that has arrived} */
    @Nullable ByteLink ofPiece(long number) {
        final ByteLink before = recent;
        if (before != null && before.number() == number && removals.get() == seenRemovals) {
            return before;
        }
        seenRemovals = removals.get();                          // before the look, so that a removal behind it counts
        final ByteLink found = links.get(number);
        recent = found;
        return found;
    }

    @Nullable ByteLink remove(long number) {
        final ByteLink removed = links.remove(number);
        removals.incrementAndGet();
        return removed;
    }

    boolean contains(long number) {
        return links.containsKey(number);
    }

    Collection<ByteLink> all() {
        return links.values();
    }

    int size() {
        return links.size();
    }
}
