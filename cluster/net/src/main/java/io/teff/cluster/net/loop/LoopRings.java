package io.teff.cluster.net.loop;

import io.teff.engine.os.Clock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Memory for pipes with much traffic: some is kept for later, the rest is left to the garbage collector. Pipe memory
 * cannot be freed at a fixed time, because the other end of a pipe may belong to another network. By the agent only.
 *
 * <p>Before reporting a lack of memory the JVM collects garbage and sleeps, half a second in all. So after a failed
 * allocation the JVM is not asked again for a while.
 */
final class LoopRings {
    private static final int SPARE_MAX = 16;
    private static final long RETRY_NS = 2_000_000_000;

    private final Deque<MemorySegment> spare = new ArrayDeque<>();
    private final IntFunction<MemorySegment> source;
    private final Clock clock;
    private long lackUntilNs;

    LoopRings() {
        this(LoopRings::allocate, Clock.SYSTEM);
    }

    /** Makes rings from another source of memory. */
    LoopRings(IntFunction<MemorySegment> source, Clock clock) {
        this.source = source;
        this.clock = clock;
        this.lackUntilNs = clock.nowNs();
    }

    static MemorySegment allocate(int capacity) {
        return Arena.ofAuto().allocate(capacity, Long.BYTES);
    }

    /** Returns a large ring, or null if none is available for now. */
    @Nullable MemorySegment take() {
        final MemorySegment before = spare.poll();
        if (before != null || clock.nowNs() - lackUntilNs < 0) {
            return before;
        }
        try {
            return source.apply(LoopPipe.CAPACITY);
        } catch (OutOfMemoryError _) {
            lackUntilNs = clock.nowNs() + RETRY_NS;
            return null;
        }
    }

    /** Takes a large ring back. */
    void giveBack(MemorySegment ring) {
        if (spare.size() < SPARE_MAX) {
            spare.push(ring);
        }
    }
}
