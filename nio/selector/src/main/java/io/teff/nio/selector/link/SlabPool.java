package io.teff.nio.selector.link;

import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The memory for arrived bytes of all links, in three sizes. A link has slabs only while the link has unread bytes, so
 * an idle link has none. Any thread.
 */
final class SlabPool {
    private static final int[] SIZES = {1 << 10, 8 << 10, StreamPieceLayout.BYTES_MAX};
    /** Bytes of free slabs of a size; further slabs are left to the garbage collector. */
    private static final int FREE_BYTES_MAX = 8 << 20;

    /** A small slab, without a lock. */
    private final AtomicReference<@Nullable Slab> spare = new AtomicReference<>();
    @SuppressWarnings({"unchecked", "rawtypes"})
    private final ArrayDeque<Slab>[] free = new ArrayDeque[] {new ArrayDeque<>(), new ArrayDeque<>(),
        new ArrayDeque<>()};

    /** Takes a slab for a number of bytes, at most those of the largest slab. */
    Slab take(int bytes) {
        final int index = index(bytes);
        final Slab spareSlab = index == 0 ? spare.getAndSet(null) : null;
        if (spareSlab != null) {
            return spareSlab;
        }
        synchronized (this) {
            final Slab found = free[index].pollLast();
            if (found != null) {
                return found;
            }
        }
        return new Slab(Arena.ofAuto().allocate(SIZES[index]));
    }

    private static int index(long bytes) {
        return bytes <= SIZES[0] ? 0 : bytes <= SIZES[1] ? 1 : 2;
    }

    void giveBack(Slab slab) {
        slab.from = 0;
        slab.to = 0;
        final int index = index(slab.memory.byteSize());
        if (index != 0 || !spare.compareAndSet(null, slab)) {
            giveBackSlow(slab, index);
        }
    }

    private synchronized void giveBackSlow(Slab slab, int index) {
        if (free[index].size() < FREE_BYTES_MAX / SIZES[index]) {
            free[index].addLast(slab);
        }
    }
}
