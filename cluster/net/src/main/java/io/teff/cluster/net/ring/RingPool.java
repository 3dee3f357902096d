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
 * Memory of rings, which connections have only while they send. All of it is zero when it is taken and when it comes
 * back. The pool keeps it for later: what nobody needed from one count to the next, five seconds later, ends, a little
 * in each {@link #trim}, and so does what is in the way where memory of another size is needed. Thread-safe.
 *
 * <p><b>Arenas.</b> Each memory has a shared arena of its own, so what is counted is what there is: memory that the
 * collector has to find would be missing in the count, and stay until there is garbage enough on the heap. To close one
 * takes a handshake with all threads, 0.1 ms on a busy machine and some milliseconds now and then, or where there are
 * thousands of threads; so agents close few at a time, and spend a twentieth of their time with it at most. Nobody uses
 * memory that came back: what was claimed there is committed and has arrived. At the end all are closed, whoever writes
 * there; that throws then.
 *
 * <p><b>No memory.</b> Where the system has no more, which the JDK tells by an error, it is not asked for a while.
 */
public final class RingPool {
    /** Between two counts of what is spare. */
    private static final long SPARE_NS = 5_000_000_000L;
    /** So many arenas are closed at once, or until so much time is over. */
    private static final int TRIM_COUNT = 8;
    private static final long TRIM_NS = 500_000;
    /** An agent ends rings for at most one part of so many of its time. */
    private static final int PAUSE_FACTOR = 20;
    /** Once with all that is allowed, and once with what is there. */
    private static final int ATTEMPTS = 2;
    private static final long RETRY_NS = 2_000_000_000;

    /** Where memory comes from. */
    @FunctionalInterface
    interface Source {
        /**
         * Allocates zeros.
         *
         * @param arena that they end with
         * @param bytes how many
         * @return aligned to 8
         * @throws OutOfMemoryError if there are none
         */
        MemorySegment allocate(Arena arena, long bytes);
    }

    /** Spare memory of one size. Who gave back last takes first. */
    private static final class Shelf {
        private final Deque<MemorySegment> spare = new ArrayDeque<>();
        /** Fewest that were spare since they were counted. */
        private int fewest;
        /** That were spare all the time before, and still are. */
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
    /** By capacity. */
    private final Map<Integer, Shelf> shelves = new HashMap<>();
    /** Of all memory that there is. */
    private final IdentityHashMap<MemorySegment, Arena> arenas = new IdentityHashMap<>();
    private long allocatedBytes;
    private long takenBytes;
    private long countedNs;
    /** So much there was when the system had no more; counts until then. */
    private long lackBytes;
    private long lackUntilNs;
    private boolean isClosed;
    /** Of who trims. */
    private boolean isPausing;
    private long pauseEndNs;

    /**
     * Makes an empty pool.
     *
     * @param bytesMax most bytes that it has ever
     * @param clock tells when to ask again a system that had no more
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
     * @return zeros, or null if there is none left
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

    /** Makes room for more in the count, if need be in the place of what is kept for later; false if there is none. */
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

    /** Takes memory out of the count; its arena, which is to be closed when nobody waits for that. */
    private Arena drop(MemorySegment memory) {
        allocatedBytes -= memory.byteSize();
        return Objects.requireNonNull(arenas.remove(memory));
    }

    /** Makes what room was made for; null if the system has none. */
    private @Nullable MemorySegment allocate(int bytes) {
        Arena arena = null;
        boolean isMade = false;
        try {
            arena = Arena.ofShared();
            final MemorySegment made = source.allocate(arena, bytes);
            isMade = keep(made, arena);
            return isMade ? made : null;
        } catch (OutOfMemoryError e) {
            return null;                                        // as where the pool has no more
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

    /** It is not there after all, and more than the rest there cannot be for a while. */
    private synchronized void lack(int bytes) {
        takenBytes -= bytes;
        allocatedBytes -= isClosed ? 0 : bytes;
        lackBytes = allocatedBytes;
        lackUntilNs = clock.nowNs() + RETRY_NS;
    }

    /**
     * Gives memory back.
     *
     * @param memory that was taken, zeros
     * @param capacity for which it was taken
     */
    public synchronized void giveBack(MemorySegment memory, int capacity) {
        takenBytes -= memory.byteSize();
        if (!isClosed) {
            shelves.computeIfAbsent(capacity, _ -> new Shelf()).put(memory);
        }
    }

    /**
     * Ends some of what nobody needs; called now and then, by one agent.
     *
     * @return after how many nanoseconds it can go on, or {@link Long#MAX_VALUE} if there is no more of it
     */
    public long trim() {
        final long begunNs = clock.nowNs();
        if (isPausing && begunNs - pauseEndNs < 0) {
            return pauseEndNs - begunNs;
        }
        isPausing = false;
        int count = 0;
        for (Arena it = needless(begunNs); it != null; it = needless(begunNs)) {
            it.close();
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

    /** Drops memory that nobody needs; null if there is none. Who is idle makes no garbage here. */
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

    /** Gives all memory back to the system, when no agent uses it any more. Who still writes to it finds it closed. */
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

    /** {@return bytes of all that was taken and did not come back} */
    public synchronized long takenBytes() {
        return takenBytes;
    }

    /** {@return bytes of all memory that there is, used or not} */
    public synchronized long allocatedBytes() {
        return allocatedBytes;
    }

    /**
     * Recomputes its sums; while nobody waits for memory that is being made.
     *
     * @throws IllegalStateException which says what is wrong
     */
    public synchronized void audit() {
        long spareBytes = 0;
        for (Map.Entry<Integer, Shelf> it : shelves.entrySet()) {
            final Shelf shelf = it.getValue();
            spareBytes += (long) shelf.spare.size() * SendRing.bytes(it.getKey());
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
