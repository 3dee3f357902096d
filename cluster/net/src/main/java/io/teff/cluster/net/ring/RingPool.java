package io.teff.cluster.net.ring;

import io.teff.engine.os.Clock;
import io.teff.engine.os.LazyMemory;
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
 * Memory for rings. A connection has a ring only while sending. Memory is all zero when taken and when given back. The
 * pool keeps given back memory for later use: memory that stayed spare from one count to the next, five seconds later,
 * is freed, a little in each {@link #trim}; so is spare memory that leaves no room for a different size. Thread-safe.
 *
 * <p><b>Arenas.</b> Each piece of memory has its own shared arena, so the count is exact: memory left to the garbage
 * collector would be missing in the count, and would stay until the heap has enough garbage. Closing an arena takes a
 * handshake with all threads, 0.1 ms on a busy machine and some milliseconds in rare cases, or with thousands of
 * threads; so agents close few arenas at a time, and spend at most a twentieth of their time on closing. No thread uses
 * memory after giving back: all claimed frames are committed and have arrived. At the end all arenas are closed, even
 * while threads still write; the writes then throw.
 *
 * <p><b>No memory.</b> If the system has no more memory, which the JDK reports by an error, the system is not asked
 * again for a while.
 */
public final class RingPool {
    /** Time between two counts of spare memory. */
    private static final long SPARE_NS = 5_000_000_000L;
    /** Limit of arenas closed in one step. A step also ends when its time expires. */
    private static final int TRIM_COUNT = 8;
    private static final long TRIM_NS = 500_000;
    /** An agent spends at most one part in this number of its time on closing arenas. */
    private static final int PAUSE_FACTOR = 20;
    /** A first attempt within the limit, and a second attempt within the memory of the system. */
    private static final int ATTEMPTS = 2;
    private static final long RETRY_NS = 2_000_000_000;

    /** The source of memory. */
    @FunctionalInterface
    interface Source {
        /**
         * Allocates zeros.
         *
         * @param arena frees the zeros when closed
         * @param bytes number of bytes
         * @return memory aligned to 8
         * @throws OutOfMemoryError if the system has no memory
         */
        MemorySegment allocate(Arena arena, long bytes);
    }

    /** Spare memory of one size, last in, first out. */
    private static final class Shelf {
        private final Deque<MemorySegment> spare = new ArrayDeque<>();
        /** Fewest spare pieces since the last count. */
        private int fewest;
        /** Pieces spare during the whole time before the last count, and still spare. */
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
    /** Bytes allocated at the time when the system had no more memory; a limit until the time below. */
    private long lackBytes;
    private long lackUntilNs;
    private boolean isClosed;
    /** Whether the trimming thread pauses. */
    private boolean isPausing;
    private long pauseEndNs;

    /**
     * Makes an empty pool.
     *
     * @param bytesMax limit of the pool's memory
     * @param clock decides when to ask the system again after a lack of memory
     */
    public RingPool(long bytesMax, Clock clock) {
        this(bytesMax, clock, LazyMemory::allocate);
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

    /** Removes memory from the count; returns the arena of the memory, to be closed later, outside the lock. */
    private Arena drop(MemorySegment memory) {
        allocatedBytes -= memory.byteSize();
        return Objects.requireNonNull(arenas.remove(memory));
    }

    /** Allocates reserved memory; returns null if the system has no memory. */
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
     * @param memory taken from this pool, all zero
     * @param capacity for which the memory was taken
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
     * @return nanoseconds until the next call, or {@link Long#MAX_VALUE} if nothing is left to free
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
     * Removes spare memory from the count; returns null if no memory is spare. Allocates nothing, so an idle network
     * makes no garbage here.
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

    /** Frees all memory, when no agent uses the pool any more. Threads that still write find their memory closed. */
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
     * @throws IllegalStateException if a sum is wrong
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
