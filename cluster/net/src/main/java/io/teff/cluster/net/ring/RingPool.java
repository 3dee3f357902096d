package io.teff.cluster.net.ring;

import io.teff.engine.os.Clock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Memory for rings, which connections have only while they send. Memory is all zero when it is taken and when it is
 * given back. The pool keeps it for later use: memory that stayed spare from one count to the next, five seconds later,
 * is freed, a little in each {@link #trim}; so is spare memory that is in the way of another size. Thread-safe.
 *
 * <p><b>Arenas.</b> Each piece of memory has its own shared arena, so the count is exact: memory that waits for the
 * garbage collector would be missing in the count, and would stay until there is garbage enough on the heap. Closing an
 * arena takes a handshake with all threads, 0.1 ms on a busy machine and some milliseconds in rare cases, or with
 * thousands of threads; so agents close few at a time, and spend at most a twentieth of their time on it. No thread
 * uses memory that was given back: all claimed frames are committed and have arrived. At the end all arenas are closed,
 * even while threads still write; their writes then throw.
 *
 * <p><b>No memory.</b> If the system has no more memory, which the JDK reports by an error, it is not asked again for a
 * while.
 */
public final class RingPool {
    /** Time between two counts of spare memory. */
    private static final long SPARE_NS = 5_000_000_000L;
    /** Limit of arenas closed in one step, unless the time expires before. */
    private static final int TRIM_COUNT = 8;
    private static final long TRIM_NS = 500_000;
    /** An agent spends at most one part in this many of its time on closing arenas. */
    private static final int PAUSE_FACTOR = 20;
    /** One attempt within the limit, and one within the memory of the system. */
    private static final int ATTEMPTS = 2;
    private static final long RETRY_NS = 2_000_000_000;

    /** The source of memory. */
    @FunctionalInterface
    interface Source {
        /**
         * Allocates zeros.
         *
         * @param arena that frees them
         * @param bytes number of bytes
         * @return memory aligned to 8
         * @throws OutOfMemoryError if there is none
         */
        MemorySegment allocate(Arena arena, long bytes);
    }

    /** Spare memory of one size, last in, first out. */
    private static final class Shelf {
        private final Deque<MemorySegment> spare = new ArrayDeque<>();
        /** Fewest pieces that were spare since the last count. */
        private int fewest;
        /** Pieces that were spare all the time before the last count, and still are. */
        private int needless;

        void put(MemorySegment memory) {
            spare.push(memory);
        }

        boolean isEmpty() {
            return spare.isEmpty();
        }

        MemorySegment take() {
            final MemorySegment taken = spare.pop();
            fewest = Math.min(fewest, spare.size());
            needless = Math.min(needless, fewest);
            return taken;
        }

        void count() {
            needless = fewest;
            fewest = spare.size();
        }

        boolean hasNeedless() {
            return needless > 0;
        }

        MemorySegment takeNeedless() {
            needless--;
            return take();
        }
    }

    private final long bytesMax;
    private final Clock clock;
    private final Source source;
    /** Shelves by capacity. */
    private final Map<Integer, Shelf> shelves = new HashMap<>();
    /** The arenas of all memory, spare or not. */
    private final IdentityHashMap<MemorySegment, Arena> arenas = new IdentityHashMap<>();
    private long allocatedBytes;
    private long takenBytes;
    private long countedNs;
    /** Bytes that were allocated when the system had no more memory; a limit until the time below. */
    private long lackBytes;
    private long lackUntilNs;
    private boolean isClosed;
    /** Whether the thread that trims pauses. */
    private boolean isPausing;
    private long pauseEndNs;

    /**
     * Makes an empty pool.
     *
     * @param bytesMax limit of its memory
     * @param clock decides when to ask the system again after it had no more memory
     */
    public RingPool(long bytesMax, Clock clock) {
        this(bytesMax, clock, (arena, bytes) -> arena.allocate(bytes, Long.BYTES));
    }

    RingPool(long bytesMax, Clock clock, Source source) {
        this.bytesMax = bytesMax;
        this.clock = clock;
        this.source = source;
        this.lackUntilNs = clock.nowNs();
        this.countedNs = lackUntilNs;
    }

    /**
     * Takes memory for a ring.
     *
     * @param capacity of the ring
     * @return zeros, or null if there is no memory left
     */
    public @Nullable MemorySegment take(int capacity) {
        final int bytes = SendRing.bytes(capacity);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            final List<Arena> dropped = new ArrayList<>();
            synchronized (this) {
                final Shelf same = shelves.get(capacity);
                if (same != null && !same.isEmpty()) {
                    takenBytes += bytes;
                    return same.take();
                }
                if (!reserve(bytes, dropped)) {
                    return null;
                }
            }
            dropped.forEach(Arena::close);
            final MemorySegment made = allocate(bytes);
            if (made != null) {
                return made;
            }
        }
        return null;
    }

    /** Reserves bytes in the count, if need be in place of spare memory; returns false if there is no room. */
    private boolean reserve(int bytes, List<Arena> dropped) {
        final long most = clock.nowNs() - lackUntilNs < 0 ? Math.min(bytesMax, lackBytes) : bytesMax;
        if (isClosed || takenBytes + bytes > most) {
            return false;
        }
        for (Shelf shelf : shelves.values()) {
            while (!shelf.isEmpty() && allocatedBytes + bytes > most) {
                dropped.add(drop(shelf.take()));
            }
        }
        allocatedBytes += bytes;
        takenBytes += bytes;
        return true;
    }

    /** Removes memory from the count; returns its arena, which is closed later, outside the lock. */
    private Arena drop(MemorySegment memory) {
        allocatedBytes -= memory.byteSize();
        return Objects.requireNonNull(arenas.remove(memory));
    }

    /** Allocates reserved memory; returns null if the system has none. */
    private @Nullable MemorySegment allocate(int bytes) {
        Arena arena = null;
        boolean isMade = false;
        try {
            arena = Arena.ofShared();
            final MemorySegment made = source.allocate(arena, bytes);
            isMade = keep(made, arena);
            return isMade ? made : null;
        } catch (OutOfMemoryError e) {
            return null;                                        // counts as an exhausted pool
        } finally {
            if (!isMade) {
                lack(bytes);
                if (arena != null) {
                    arena.close();
                }
            }
        }
    }

    private synchronized boolean keep(MemorySegment made, Arena arena) {
        if (!isClosed) {
            arenas.put(made, arena);
        }
        return !isClosed;
    }

    /** Takes the reservation back, and sets the current bytes as the limit for a while. */
    private synchronized void lack(int bytes) {
        takenBytes -= bytes;
        allocatedBytes -= isClosed ? 0 : bytes;
        lackBytes = allocatedBytes;
        lackUntilNs = clock.nowNs() + RETRY_NS;
    }

    /**
     * Gives memory back.
     *
     * @param memory that was taken, all zero
     * @param capacity for which it was taken
     */
    public synchronized void giveBack(MemorySegment memory, int capacity) {
        final long bytes = memory.byteSize();
        if (!isClosed) {
            shelves.computeIfAbsent(capacity, _ -> new Shelf()).put(memory);
        }
        takenBytes -= bytes;
    }

    /**
     * Frees some spare memory; called at intervals, by one agent.
     *
     * @return nanoseconds after which it can continue, or {@link Long#MAX_VALUE} if there is no more to free
     */
    public long trim() {
        final long begunNs = clock.nowNs();
        if (isPausing && begunNs - pauseEndNs < 0) {
            return pauseEndNs - begunNs;
        }
        isPausing = false;
        int count = 0;
        for (Arena arena = needless(begunNs); arena != null; arena = needless(begunNs)) {
            arena.close();
            count++;
            final long tookNs = clock.nowNs() - begunNs;
            if (count == TRIM_COUNT || tookNs > TRIM_NS) {
                isPausing = true;
                pauseEndNs = begunNs + PAUSE_FACTOR * tookNs;
                return PAUSE_FACTOR * tookNs;
            }
        }
        return Long.MAX_VALUE;
    }

    /**
     * Removes spare memory from the count; returns null if there is none. Allocates nothing, so an idle network makes
     * no garbage here.
     */
    private synchronized @Nullable Arena needless(long nowNs) {
        if (arenas.isEmpty()) {
            return null;
        }
        if (nowNs - countedNs >= SPARE_NS) {
            countedNs = nowNs;
            shelves.values().forEach(Shelf::count);
        }
        for (Shelf shelf : shelves.values()) {
            if (shelf.hasNeedless()) {
                return drop(shelf.takeNeedless());
            }
        }
        return null;
    }

    /** Frees all memory, when no agent uses it any more. Threads that still write find it closed. */
    public void close() {
        final List<Arena> all;
        synchronized (this) {
            isClosed = true;
            all = List.copyOf(arenas.values());
            arenas.clear();
            shelves.clear();
            allocatedBytes = 0;
        }
        all.forEach(Arena::close);
    }

    /** {@return bytes of the memory that was taken and not given back} */
    public synchronized long takenBytes() {
        return takenBytes;
    }

    /** {@return bytes of all memory, spare or not} */
    public synchronized long allocatedBytes() {
        return allocatedBytes;
    }

    /**
     * Recomputes the sums; while no thread waits for memory.
     *
     * @throws IllegalStateException if one of them is wrong
     */
    public synchronized void audit() {
        long spareBytes = 0;
        for (Map.Entry<Integer, Shelf> entry : shelves.entrySet()) {
            final Shelf shelf = entry.getValue();
            spareBytes += (long) shelf.spare.size() * SendRing.bytes(entry.getKey());
            if (shelf.needless < 0 || shelf.needless > shelf.fewest || shelf.fewest > shelf.spare.size()) {
                throw new IllegalStateException("pool: " + shelf.needless + " needless, " + shelf.fewest
                    + " at least, of " + shelf.spare.size() + " spare");
            }
        }
        final long bytes = arenas.keySet().stream().mapToLong(MemorySegment::byteSize).sum();
        if (bytes != allocatedBytes || !isClosed && takenBytes + spareBytes != bytes || takenBytes < 0
            || bytes > bytesMax) {
            throw new IllegalStateException("pool: taken " + takenBytes + " and spare " + spareBytes + " of "
                + allocatedBytes + ", there are " + bytes + " of " + bytesMax);
        }
    }
}
