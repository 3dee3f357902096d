package io.teff.recovery.log;

import io.teff.engine.os.DiskFullException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Copies to be dropped when everything of them is drained. Any thread adds one; the log's thread drops them. On a full
 * disk they wait.
 */
final class LaterDrops {
    /** A copy, and the upper bound of the positions of its records in the ring. */
    private record Drop(int owner, int copy, long position) {}

    private final Deque<Drop> drops = new ArrayDeque<>();

    /** Adds a copy, of which no thread writes records any more. */
    synchronized void add(int owner, int copy, long position) {
        drops.add(new Drop(owner, copy, position));
    }

    private synchronized @Nullable Drop first() {
        return drops.peek();
    }

    private synchronized void remove() {
        drops.remove();
    }

    /**
     * Drops what can be dropped.
     *
     * @param buffer knows what is drained
     * @param zones have the copies
     * @throws IOException as {@link io.teff.recovery.log.file.LogFailure#step}, but not for a full disk
     */
    void run(WriteBuffer buffer, ZoneLogs zones) throws IOException {
        try {
            final long drained = buffer.drained();
            for (Drop next = first(); next != null && next.position <= drained; next = first()) {
                zones.dropCopies(next.owner, next.copy);
                remove();
            }
        } catch (DiskFullException _) {
            // it is tried again after the next drain
        }
    }
}
