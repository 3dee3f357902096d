package io.teff.cluster.net.loop;

import io.teff.engine.os.Clock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Memory of pipes that carry much: some is kept for later, the rest is the collector's. It cannot be ended, as the
 * other end of a pipe may belong to another network. The agent's.
 *
 * <p>Before the JVM says that it has no such memory it collects garbage and sleeps, half a second in all, so it is not
 * asked again for a while.
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

    /** Those from somewhere. */
    LoopRings(IntFunction<MemorySegment> source, Clock clock) {
        this.source = source;
        this.clock = clock;
        this.lackUntilNs = clock.nowNs();
    }

    static MemorySegment allocate(int capacity) {
        return Arena.ofAuto().allocate(capacity, Long.BYTES);
    }

    /** A large ring, or null if there is none for a while. */
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

    /** A large ring is not needed any more. */
    void giveBack(MemorySegment ring) {
        if (spare.size() < SPARE_MAX) {
            spare.push(ring);
        }
    }
}
