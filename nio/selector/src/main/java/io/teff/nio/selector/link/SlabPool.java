package io.teff.nio.selector.link;

import java.lang.foreign.Arena;
import java.util.ArrayDeque;

/**
 * The memory for arrived bytes of all links, in two sizes. A link has slabs only while the link has unread bytes, so an
 * idle link has none. Any thread.
 */
final class SlabPool {
    static final int SMALL = 1 << 10;
    static final int LARGE = 8 << 10;
    /** Free slabs of a size; further slabs are left to the garbage collector. */
    private static final int FREE_MAX = 1_024;

    private final ArrayDeque<Slab> small = new ArrayDeque<>();
    private final ArrayDeque<Slab> large = new ArrayDeque<>();

    Slab take(int bytes) {
        final boolean isSmall = bytes <= SMALL;
        synchronized (this) {
            final Slab found = (isSmall ? small : large).pollLast();
            if (found != null) {
                return found;
            }
        }
        return new Slab(Arena.ofAuto().allocate(isSmall ? SMALL : LARGE));
    }

    synchronized void giveBack(Slab slab) {
        slab.from = 0;
        slab.to = 0;
        final ArrayDeque<Slab> free = slab.memory.byteSize() == SMALL ? small : large;
        if (free.size() < FREE_MAX) {
            free.addLast(slab);
        }
    }
}
