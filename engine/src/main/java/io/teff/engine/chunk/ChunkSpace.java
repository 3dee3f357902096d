package io.teff.engine.chunk;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.alloc.AllocStripes;
import io.teff.engine.alloc.Allocator;
import io.teff.engine.alloc.ChunkHeap;
import io.teff.engine.alloc.RunMap;
import io.teff.engine.care.StoreCare;
import io.teff.engine.config.DebugLevel;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.lock.ChunkLocks;
import io.teff.engine.lock.EntryWords;
import io.teff.engine.lock.StripeWord;
import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.Memory;
import io.teff.engine.memory.Region;
import io.teff.engine.os.StoreSeams;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.CreatorTables;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.IdAllocator;
import io.teff.engine.table.Table;
import io.teff.engine.table.Zone;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The components of one store, and the steps that all operations share.
 *
 * <p>Rank of locks, first to last: care lock ({@link StoreCare}), a chunk's stripe, an allocation stripe, a table or id
 * allocator, a size class, the run map. A thread that holds a lock may take a later lock, never an earlier lock. Only
 * page release, freeze and close take all stripes; they take stripes in order, and hold at most the care lock before.
 * {@code docs/LOCKS.md} has the table.
 */
public final class ChunkSpace implements EntryWords {
    private static final int HELD_BEFORE = 1;
    /** Result of {@link #hold} if it swapped the thread's read hold for the exclusive one. */
    public static final int HELD_SWAPPED = 2;

    public final StoreConfig config;
    public final StoreSeams seams;
    public final Region region;
    public final Memory memory;
    public final RunMap runs;
    public final AllocStripes allocStripes;
    public final Allocator allocator;
    public final ChunkHeap heap;
    public final ChunkMemory chunks;
    public final CreatorTables tables;
    /** The zone of the store's own creator, its table and its ids. */
    public final Zone ownZone;
    public final Table own;
    public final IdAllocator ids;
    public final Stripes stripes;
    public final ChunkLocks locks;
    /** Running views and long copies; close waits until their number is 0. */
    public final LongAdder running = new LongAdder();
    /**
     * Chunks whose memory is allocated, but not yet in their entry: the largest number of slots and runs that an audit
     * may find without an entry.
     */
    public final LongAdder inFlight = new LongAdder();
    private volatile boolean isClosing;

    public ChunkSpace(StoreConfig config) {
        if (config.debugLevel() == DebugLevel.GUARD_PAGES && !Memory.RESERVED) {
            throw new IllegalArgumentException("debugLevel=GUARD_PAGES needs native access "
                + "(--enable-native-access) on Linux");
        }
        this.config = config;
        seams = StoreSeams.of(config);
        region = new Region(config.memoryLimitBytes(), config.hugePages(), seams.platform().threads());
        memory = region.memory();
        runs = new RunMap(region);
        allocStripes = new AllocStripes(seams.platform().clock());
        allocator = new Allocator(runs, allocStripes);
        heap = new ChunkHeap(allocator, runs, region::protect, config.debugLevel().ordinal());
        chunks = new ChunkMemory(heap);
        tables = new CreatorTables(config.nid(), runs, allocStripes.count());
        ownZone = tables.own();
        own = ownZone.table();
        ids = ownZone.ids();
        stripes = new Stripes(seams.stripes(), seams.platform().clock(), config.name());
        locks = new ChunkLocks(stripes, this, seams.platform().clock());
    }

    // ---- entries ----

    /**
     * Loads a CID's entry with acquire, for an operation that begins; returns 0, the entry of no chunk, if the CID has
     * no entry. An operation begins once. From then on, inside the stripe or while holding the chunk, the operation
     * uses {@link #word}. This method finds the chunk also after a drop of its zone.
     */
    @Override
    public long find(long cid) {
        int nid = CidLayout.nid(cid);
        return load(nid == own.nid() ? own : tables.find(nid), cid);
    }

    /**
     * Loads a CID's entry with acquire, for an operation that has begun; returns 0, the entry of no chunk, if the CID
     * has no entry.
     */
    public long word(long cid) {
        int nid = CidLayout.nid(cid);
        return load(nid == own.nid() ? own : tables.findBegun(nid), cid);
    }

    private long load(@Nullable Table table, long cid) {
        long entry = table == null ? Table.NO_ENTRY : table.entry(CidLayout.index(cid));
        return entry == Table.NO_ENTRY ? 0 : memory.getLongAcquire(entry);
    }

    @Override
    public long read(long cid) {
        return word(cid);
    }

    /** Stores the entry of a chunk that the calling thread has found inside the stripe, or holds. */
    @Override
    public void write(long cid, long word) {
        memory.putLongRelease(tableOf(cid).entry(CidLayout.index(cid)), word);
    }

    /** Returns the table of a chunk that the calling thread has found inside the stripe, or holds. */
    Table tableOf(long cid) {
        return Objects.requireNonNull(tables.findBegun(CidLayout.nid(cid)));
    }

    /**
     * Returns whether a fast path may load an entry before it has validated the stripe. False where close releases the
     * memory, because an access would then throw an exception of the JDK instead of {@code StoreClosedException}.
     */
    public static boolean mayLoad(long begun) {
        return Memory.RESERVED || StripeWord.readable(begun);
    }

    // ---- steps of operations ----

    /** Lets the store refuse new views and long copies; running ones continue to their end. */
    public void beginClose() {
        isClosing = true;
    }

    /** {@return whether the store is being closed, or is closed} */
    public boolean isClosing() {
        return isClosing;
    }

    /** Returns the bytes of all slots and runs of chunks; takes microseconds, exact if nothing changes meanwhile. */
    public long takenBytes() {
        long taken = -stripes.removedTakenBytes();
        for (int i = 0; i < allocStripes.count(); i++) {
            taken += allocStripes.stripe(i).createdTakenBytes();
        }
        return taken;
    }

    /** Acquires an allocation stripe; throws if the store is closed. */
    public AllocStripe acquire() {
        AllocStripe stripe = allocStripes.acquire();
        if (isClosing && stripes.isClosed()) {
            allocStripes.release(stripe);
            throw closed();
        }
        return stripe;
    }

    public StoreClosedException closed() {
        return new StoreClosedException(config.name());
    }

    /** Begins a view or long copy, which close waits for. */
    public void beginRunning() {
        running.increment();
        if (isClosing) {
            running.decrement();
            throw closed();
        }
    }

    public void endRunning() {
        running.decrement();
    }

    /**
     * Holds a chunk for a long copy or view. The thread may hold it already; a read hold is swapped for the exclusive
     * one.
     *
     * @return the value to pass to {@link #unhold}, or a status
     */
    public int hold(long cid, boolean write, long timeoutNs) {
        if (locks.isHeld(cid, true)) {
            return EntryWord.isChunk(find(cid), cid) ? HELD_BEFORE : Status.ABSENT;     // its zone may be dropped
        }
        if (write && locks.isHeld(cid, false)) {
            int swapped = locks.swap(cid, true, timeoutNs);
            return swapped == Status.OK ? HELD_SWAPPED : swapped;
        }
        return locks.lock(cid, write, timeoutNs);
    }

    public void unhold(long cid, int held) {
        if (held == Status.OK) {
            locks.unlock(cid);
        } else if (held == HELD_SWAPPED) {
            locks.swap(cid, false, 0);
        }
    }

    /**
     * Counts what a change inside a chunk's stripe has added.
     *
     * @param cid the chunk
     * @param added added chunks; negative for removed ones
     * @param payloadBytes added payload bytes
     * @param takenBytes added slot or run bytes
     */
    public void countInside(long cid, int added, long payloadBytes, long takenBytes) {
        stripes.countRemoved(stripes.of(cid), -added, -payloadBytes, -takenBytes);
        if (CidLayout.nid(cid) != own.nid()) {
            countInZone(tableOf(cid).zone(), added, payloadBytes, takenBytes);
        }
    }

    private static void countInZone(@Nullable Zone zone, int added, long payloadBytes, long takenBytes) {
        if (zone != null) {
            zone.count(added, payloadBytes, takenBytes);
        }
    }

    /** Releases a table page that a remove has emptied. The thread must be outside all stripes. */
    public void releaseTablePage(long cid) {
        stripes.enterAll();
        try {
            Table table = tables.find(CidLayout.nid(cid));      // a dropped zone's pages are given back elsewhere
            Zone zone = table == null ? null : table.zone();
            if (zone != null) {
                zone.ids().release(CidLayout.index(cid));
            } else if (table != null) {
                table.releaseForeign(CidLayout.index(cid));
            }
        } finally {
            stripes.leaveAll();
        }
        stripes.countReleased(Table.PAGE_BYTES);
    }

    /** Releases table pages that a batch of creates left empty. The thread must be outside all stripes. */
    public void releaseEmptiedTablePages(Zone zone) {
        if (zone.ids().hasEmptied()) {
            long before = zone.table().bytes();
            stripes.enterAll();
            try {
                if (!zone.isDropped()) {
                    zone.ids().releaseEmptied();
                }
            } finally {
                stripes.leaveAll();
            }
            stripes.countReleased(Math.max(before - zone.table().bytes(), 0));
        }
    }

    /** Frees an index of a zone's table; returns whether the index's table page is empty now. */
    public boolean endId(Zone zone, long cid, boolean isIdKept) {
        long index = CidLayout.index(cid);
        long entry = zone.table().entry(index);
        return isIdKept ? zone.ids().freeLater(index, entry, CidLayout.generation(cid))
            : zone.ids().free(index, entry, CidLayout.generation(cid));
    }

    /**
     * Frees the index of a chunk or reservation of a zone that has ended. The thread must be outside all stripes. Runs
     * in an allocation stripe, because the zone may be dropped.
     */
    public void giveBackId(Zone zone, long cid) {
        if (CidLayout.nid(cid) == zone.nid() && IdAllocator.isReusable(CidLayout.generation(cid))) {
            boolean isEmpty;
            AllocStripe stripe = acquire();
            try {
                isEmpty = !zone.isDropped() && zone.ids().giveBack(CidLayout.index(cid));
            } finally {
                allocStripes.release(stripe);
            }
            if (isEmpty) {
                releaseTablePage(cid);
            }
        }
    }

    /**
     * Removes a chunk inside its stripe: frees entry, holds and memory. Returns true if its table page is empty now.
     *
     * @param isIdKept whether the index stays in use until {@link #giveBackId} is called
     */
    public boolean endChunk(long cid, long word, boolean isIdKept) {
        long index = CidLayout.index(cid);
        long length = chunks.length(word);
        boolean pageEmpty;
        if (CidLayout.nid(cid) != own.nid()) {
            pageEmpty = endElsewhere(cid, length, isIdKept);
        } else {
            pageEmpty = isIdKept ? ids.freeLater(index, own.entry(index), CidLayout.generation(cid))
                : ids.free(index, own.entry(index), CidLayout.generation(cid));
        }
        locks.endAllInside(cid);
        stripes.countRemoved(stripes.of(cid), 1, length, chunks.takenBytes(length));
        chunks.free(EntryWord.address(word), length);
        return pageEmpty;
    }

    /** Frees the entry of a chunk outside of the store's own zone; returns whether its table page is empty now. */
    private boolean endElsewhere(long cid, long length, boolean isIdKept) {
        Table table = tableOf(cid);
        Zone zone = table.zone();
        if (zone == null) {
            write(cid, 0);
            return table.countForeign(CidLayout.index(cid), -1) == 0;
        }
        zone.count(-1, -length, -chunks.takenBytes(length));
        return endId(zone, cid, isIdKept);
    }
}
