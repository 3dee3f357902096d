package io.teff.engine.chunk;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.error.Status;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.lock.ChunkLocks;
import io.teff.engine.lock.LockIntent;
import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.Memory;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.IdAllocator;
import io.teff.engine.table.StoredLength;
import io.teff.engine.table.Table;
import io.teff.engine.table.Zone;
import org.jspecify.annotations.Nullable;

/**
 * Operations that create chunks and reserve CIDs in a zone.
 *
 * <p>A create works in an allocation stripe only: allocate memory, copy the content, issue an id, then write the entry
 * by one release store, because no other thread can know the CID before this store. A chunk at a given CID, or a chunk
 * held from its creation on, is published inside its stripe. A long chunk is held during its recording, so that no
 * thread waits for the record inside a stripe.
 *
 * <p>The zone may be dropped at any time, and its table pages are given back after each stripe was free once. Therefore
 * entries and ids are used only inside a stripe or an allocation stripe that was entered while the zone was not
 * dropped.
 */
public final class Creates {
    private final ChunkSpace space;
    private final Zone zone;
    /** Whether the zone is the store's own, which is never dropped, and is counted elsewhere. */
    private final boolean isOwn;
    private final Table table;
    private final IdAllocator ids;
    private final Stripes stripes;
    private final Memory memory;
    private final ChunkLocks locks;
    private final ChunkMemory chunks;
    private final ChangeLog log;
    private final Upkeep upkeep;

    public Creates(ChunkSpace space, Zone zone, ChangeLog log, Upkeep upkeep) {
        this.space = space;
        this.zone = zone;
        this.isOwn = zone.equals(space.ownZone);
        this.table = zone.table();
        this.ids = zone.ids();
        this.stripes = space.stripes;
        this.memory = space.memory;
        this.locks = space.locks;
        this.chunks = space.chunks;
        this.log = log;
        this.upkeep = upkeep;
    }

    /** Acquires an allocation stripe to use the zone's ids and entries; throws if the store is closed. */
    private AllocStripe acquire() {
        AllocStripe stripe = space.acquire();
        if (!isOwn && zone.isDropped()) {
            space.allocStripes.release(stripe);
            throw new ZoneDroppedException(zone.nid());
        }
        return stripe;
    }

    // ---- create ----

    /** Creates a chunk with content, or of zeros if there is no source; returns its CID or FULL. */
    public long create(@Nullable Object source, long offset, long length, int state) {
        if (log.isHeldToRecord(length)) {
            return createFresh(source, offset, length, state, null);
        }
        AllocStripe stripe = acquire();
        try {
            return publish(stripe, fill(stripe, source, offset, length), length, state);
        } finally {
            space.allocStripes.release(stripe);
        }
    }

    private long fill(AllocStripe stripe, @Nullable Object source, long offset, long length) {
        long address = chunks.allocate(stripe, length);
        if (address > 0) {
            if (source == null) {
                memory.fill(address, length, (byte) 0);
            } else {
                copyInOrFree(source, offset, address, length);
            }
        }
        return address;
    }

    /**
     * Copies the content; frees the memory if the copy throws, as for a segment that is closed or confined to another
     * thread.
     */
    private void copyInOrFree(Object source, long offset, long address, long length) {
        boolean copied = false;
        try {
            Buffers.copyIn(memory, source, offset, address, length);
            copied = true;
        } finally {
            if (!copied) {
                chunks.free(address, length);
            }
        }
    }

    private long publish(AllocStripe stripe, long address, long length, int state) {
        if (address == ChunkMemory.FULL) {
            return Status.FULL;
        }
        long index = ids.issue(stripe.index());
        if (index == IdAllocator.FULL) {
            chunks.free(address, length);
            return Status.FULL;
        }
        boolean isDone = false;
        try {
            long cid = publishAt(stripe, index, address, length, state);
            isDone = true;
            return cid;
        } finally {
            if (!isDone) {
                freeIndex(index);
            }
        }
    }

    /** Frees an issued index whose entry could not be recorded. Runs in an allocation stripe. */
    private void freeIndex(long index) {
        long entry = table.entry(index);
        ids.free(index, entry, EntryWord.generation(memory.getLong(entry)));
    }

    private long publishAt(AllocStripe stripe, long index, long address, long length, int state) {
        long entry = table.entry(index);
        int generation = EntryWord.generation(memory.getLong(entry));
        long cid = CidLayout.pack(table.nid(), generation, index);
        long word = EntryWord.chunk(state, generation, StoredLength.field(length), address);
        boolean isRecorded = false;
        try {
            log.record(cid, word);
            isRecorded = true;
        } finally {
            if (!isRecorded) {
                chunks.free(address, length);
            }
        }
        memory.putLongRelease(entry, word);
        stripe.count(1, length, chunks.takenBytes(length));
        if (!isOwn) {
            zone.countCreated(stripe.index(), length, chunks.takenBytes(length));
        }
        return cid;
    }

    /** Creates chunks at consecutive fresh CIDs, of given lengths or all of one length; returns the number created. */
    public int createRange(@Nullable Object source, int @Nullable [] lengths, long oneLength, long[] cids, int from,
                    int count) {
        long first = issueRange(count);
        if (first == IdAllocator.FULL) {
            return 0;
        }
        int made = 0;
        try {
            long at = 0;
            for (boolean isFull = false; !isFull && made < count; ) {
                log.begin();                                    // wait for room for the next part
                long length = lengthOf(lengths, oneLength, made);
                if (log.isHeldToRecord(length)) {
                    cids[from + made] = createLongAt(first + made, source, at, length);
                    isFull = cids[from + made] == Status.FULL;
                    made += isFull ? 0 : 1;
                    at += length;
                    continue;
                }
                int end = Math.min(count, made + Thresholds.CREATES_PER_STRIPE);
                long endAt = at + Thresholds.CREATED_BYTES_PER_STRIPE;
                AllocStripe stripe = acquire();
                try {
                    while (!isFull && made < end && at < endAt && !log.isHeldToRecord(length)) {
                        long address = table.makeEntry(first + made) == Table.NO_ENTRY ? ChunkMemory.FULL
                            : fill(stripe, source, at, length);
                        isFull = address == ChunkMemory.FULL;
                        if (!isFull) {
                            cids[from + made] = publishAt(stripe, first + made, address, length, EntryWord.PLAIN);
                            at += length;
                            made++;
                            length = made < end ? lengthOf(lengths, oneLength, made) : 0;
                        }
                    }
                } finally {
                    space.allocStripes.release(stripe);
                }
            }
            return made;
        } finally {
            endRange(first, made, count);
        }
    }

    private static long lengthOf(int @Nullable [] lengths, long oneLength, int number) {
        return lengths == null ? oneLength : lengths[number];
    }

    /** Creates a long chunk at an index of a range; returns its CID or FULL. */
    private long createLongAt(long index, @Nullable Object source, long offset, long length) {
        long cid = makeCid(index);
        return cid != Status.FULL && place(cid, source, offset, length, EntryWord.PLAIN, null, true) == Status.OK ? cid
            : Status.FULL;
    }

    private long issueRange(int count) {
        AllocStripe stripe = acquire();
        try {
            return ids.issueRange(stripe.index(), count);
        } finally {
            space.allocStripes.release(stripe);
        }
    }

    /**
     * Ends a range of issued indexes. Runs in an allocation stripe, because it must not run in a quiet moment or after
     * close.
     */
    private void endRange(long first, int made, int count) {
        AllocStripe stripe = space.acquire();
        try {
            if (!zone.isDropped()) {
                ids.endRange(count, first + made, first + count);
            }
        } finally {
            space.allocStripes.release(stripe);
        }
        space.releaseEmptiedTablePages(zone);
        upkeep.changed();
    }

    // ---- ids ----

    /** Reserves a CID without memory; returns it or FULL. */
    public long reserve() {
        AllocStripe stripe = acquire();
        try {
            long index = ids.issue(stripe.index());
            if (index == IdAllocator.FULL) {
                return Status.FULL;
            }
            boolean isDone = false;
            try {
                long cid = reserveAt(index);
                isDone = true;
                return cid;
            } finally {
                if (!isDone) {
                    freeIndex(index);
                }
            }
        } finally {
            space.allocStripes.release(stripe);
        }
    }

    private long reserveAt(long index) {
        long cid = newCid(index);
        long word = EntryWord.reserved(CidLayout.generation(cid));
        log.record(cid, word);
        memory.putLongRelease(table.entry(index), word);
        return cid;
    }

    /**
     * Reserves consecutive CIDs without memory; returns OK or FULL. Reserves all or none: the journal refuses the batch
     * before its first CID or not at all. If the disk is full meanwhile, CIDs beyond the room that
     * {@link ChangeLog#begin} has kept free wait for room.
     */
    public int reserve(long[] cids, int from, int count) {
        long first = issueRange(count);
        if (first == IdAllocator.FULL) {
            return Status.FULL;
        }
        int made = 0;
        boolean isDone = false;
        try {
            if (!makePages(first, first + count)) {
                return Status.FULL;
            }
            for (; made < count; made++) {
                if (made % Thresholds.CREATES_PER_STRIPE == 0 && made > 0) {
                    log.awaitRoom(Thresholds.CREATES_PER_STRIPE);
                }
                cids[from + made] = reserveNext(first + made);
            }
            isDone = true;
            return Status.OK;
        } finally {
            for (int i = 0; !isDone && i < made; i++) {
                endReserved(cids[from + i], false);             // the journal no longer accepts records
            }
            endRange(first, made, count);
        }
    }

    /**
     * Creates the table pages of a range. Runs in allocation stripes, so that no table page appears in a quiet moment.
     */
    private boolean makePages(long first, long end) {
        boolean isMade = true;
        for (long index = first; isMade && index < end; index = Table.nextPage(index)) {
            AllocStripe stripe = acquire();
            try {
                isMade = table.makeEntry(index) != Table.NO_ENTRY;
            } finally {
                space.allocStripes.release(stripe);
            }
        }
        return isMade;
    }

    private long reserveNext(long index) {
        AllocStripe stripe = acquire();
        try {
            return reserveAt(index);
        } finally {
            space.allocStripes.release(stripe);
        }
    }

    /** Creates a chunk that the calling thread holds from its creation on; returns its CID or FULL. */
    public long createHeld(@Nullable Object source, long offset, long length, LockIntent hold) {
        return createFresh(source, offset, length, EntryWord.PLAIN, hold);
    }

    /** Creates a chunk at a given CID without a hold; returns OK or a status. */
    public int createAt(long cid, @Nullable Object source, long offset, long length, int state) {
        return place(cid, source, offset, length, state, null, false);
    }

    // ---- chunks that are published inside their stripe ----

    /** Creates a chunk at a fresh CID, held by the thread unless {@code hold} is null; returns its CID or FULL. */
    private long createFresh(@Nullable Object source, long offset, long length, int state, @Nullable LockIntent hold) {
        long cid = issue();
        if (cid == Status.FULL) {
            return cid;
        }
        boolean isMade = false;
        try {
            isMade = place(cid, source, offset, length, state, hold, true) == Status.OK;
            return isMade ? cid : Status.FULL;
        } finally {
            if (!isMade) {
                freeIndexInStripe(CidLayout.index(cid));
            }
            ids.endSingle();
        }
    }

    /** Issues an id; returns its CID or FULL. */
    private long issue() {
        AllocStripe stripe = acquire();
        try {
            long index = ids.issueSingle(stripe.index());
            return index == IdAllocator.FULL ? Status.FULL : newCid(index);
        } finally {
            space.allocStripes.release(stripe);
        }
    }

    private void freeIndexInStripe(long index) {
        AllocStripe stripe = space.acquire();
        try {
            if (!zone.isDropped()) {
                freeIndex(index);
            }
        } finally {
            space.allocStripes.release(stripe);
        }
    }

    /** Returns the CID of an index of a range, whose table page is created if it does not exist; or FULL. */
    private long makeCid(long index) {
        AllocStripe stripe = acquire();
        try {
            return table.makeEntry(index) == Table.NO_ENTRY ? Status.FULL : newCid(index);
        } finally {
            space.allocStripes.release(stripe);
        }
    }

    /** Returns the CID of an issued index whose table page exists. Runs in an allocation stripe. */
    private long newCid(long index) {
        int generation = EntryWord.generation(memory.getLong(table.entry(index)));
        return CidLayout.pack(table.nid(), generation, index);
    }

    /**
     * Creates a chunk at a CID, held by the thread unless {@code hold} is null; returns OK or a status.
     *
     * @param isIssued whether the index was issued to the thread, which keeps it if the create fails
     */
    private int place(long cid, @Nullable Object source, long offset, long length, int state, @Nullable LockIntent hold,
                      boolean isIssued) {
        space.inFlight.increment();
        try {
            long address = allocateFilled(source, offset, length);
            if (address == ChunkMemory.FULL) {
                return Status.FULL;
            }
            int result = Status.FULL;
            try {
                long word = wordOf(cid, address, length, state);
                result = log.isHeldToRecord(length)
                    ? publishLong(cid, wordOf(cid, address, length, EntryWord.PLAIN), word, hold, isIssued)
                    : publishGiven(cid, word, hold, isIssued, true);
            } finally {
                if (result != Status.OK) {
                    freeMemory(address, length);
                }
            }
            return result;
        } finally {
            space.inFlight.decrement();
        }
    }

    private static long wordOf(long cid, long address, long length, int state) {
        return EntryWord.chunk(state, CidLayout.generation(cid), StoredLength.field(length), address);
    }

    private int publishGiven(long cid, long word, @Nullable LockIntent hold, boolean isIssued, boolean isToRecord) {
        int stripe = stripes.of(cid);
        stripes.enter(stripe);
        try {
            Table to = tableFor(cid);
            long entry = isIssued ? to.entry(CidLayout.index(cid)) : entryFor(cid, to);
            if (entry < 0) {
                return entry == IdAllocator.FULL ? Status.FULL : Status.EXISTS;
            }
            boolean isRecorded = !isToRecord;
            try {
                if (isToRecord) {
                    log.record(cid, word);
                }
                isRecorded = true;
            } finally {
                if (!isRecorded && !isIssued) {
                    freeClaimed(cid, to.zone());
                }
            }
            memory.putLongRelease(entry, word);
            locks.createdInside(cid, hold);
            count(cid, to, word, 1);
            return Status.OK;
        } finally {
            stripes.leave(stripe);
        }
    }

    /** Returns the table for a new chunk. Runs inside the chunk's stripe. */
    private Table tableFor(long cid) {
        if (CidLayout.nid(cid) == zone.nid() && zone.isDropped()) {
            throw new ZoneDroppedException(zone.nid());
        }
        return CidLayout.nid(cid) == zone.nid() ? table : space.tables.make(CidLayout.nid(cid));
    }

    /** Frees an index that {@link #entryFor} has claimed. Runs inside the chunk's stripe. */
    private void freeClaimed(long cid, @Nullable Zone of) {
        if (of != null) {
            space.endId(of, cid, false);
        }
    }

    private void count(long cid, Table of, long word, int chunk) {
        if (of.zone() == null) {
            of.countForeign(CidLayout.index(cid), chunk);
        }
        long length = chunks.length(word);
        space.countInside(cid, chunk, chunk * length, chunk * chunks.takenBytes(length));
    }

    /** Publishes a chunk under an exclusive hold, records it, and then ends the hold or swaps it for {@code hold}. */
    private int publishLong(long cid, long plain, long word, @Nullable LockIntent hold, boolean isIssued) {
        space.beginRunning();
        try {
            int result = publishGiven(cid, plain, LockIntent.WRITE_LOCK, isIssued, false);
            if (result == Status.OK) {
                boolean isRecorded = false;
                try {
                    log.recordHeld(cid, word);
                    isRecorded = true;
                } finally {
                    if (isRecorded) {
                        endHold(cid, EntryWord.state(word) == EntryWord.READ_ONLY, hold);
                    } else {
                        withdraw(cid, isIssued);
                    }
                }
            }
            return result;
        } finally {
            space.endRunning();
        }
    }

    private void endHold(long cid, boolean isReadOnly, @Nullable LockIntent hold) {
        int stripe = stripes.of(cid);
        stripes.enter(stripe);
        try {
            if (isReadOnly) {
                locks.sealInside(cid);                          // sealing swaps the hold for a read hold
            }
            if (hold == null) {
                locks.unlockInside(cid);
            } else if (hold == LockIntent.READ_LOCK) {
                locks.downgradeInside(cid);
            }
        } finally {
            stripes.leave(stripe);
        }
    }

    /** Removes a chunk that could not be recorded. No other thread has seen it. The caller frees its memory. */
    private void withdraw(long cid, boolean isIssued) {
        int stripe = stripes.of(cid);
        stripes.enter(stripe);
        try {
            Table from = space.tableOf(cid);
            count(cid, from, space.word(cid), -1);
            space.write(cid, from.zone() == null ? 0 : EntryWord.free(CidLayout.generation(cid), 0));
            locks.endAllInside(cid);
            if (!isIssued) {
                freeClaimed(cid, from.zone());
            }
        } finally {
            stripes.leave(stripe);
        }
    }

    /** Returns the entry of a CID that may get a chunk, or {@link IdAllocator#TAKEN} or {@link IdAllocator#FULL}. */
    private long entryFor(long cid, Table to) {
        long index = CidLayout.index(cid);
        int generation = CidLayout.generation(cid);
        long word = space.find(cid);
        Zone of = to.zone();
        if (of == null) {
            if (EntryWord.state(word) != EntryWord.FREE) {
                return IdAllocator.TAKEN;
            }
            long entry = to.makeEntry(index);
            return entry == Table.NO_ENTRY ? IdAllocator.FULL : entry;
        }
        boolean reserved = EntryWord.state(word) == EntryWord.RESERVED && EntryWord.generation(word) == generation;
        return reserved ? to.entry(index) : of.ids().claim(index, generation);
    }

    /** Ends the reservation of a CID; returns OK or ABSENT. */
    public int unreserve(long cid) {
        return endReserved(cid, true);
    }

    private int endReserved(long cid, boolean isToRecord) {
        int stripe = stripes.of(cid);
        boolean pageEmpty;
        stripes.enter(stripe);
        try {
            long word = space.find(cid);
            Zone of = EntryWord.state(word) == EntryWord.RESERVED
                && EntryWord.generation(word) == CidLayout.generation(cid) ? space.tableOf(cid).zone() : null;
            if (of == null) {
                return Status.ABSENT;
            }
            pageEmpty = space.endId(of, cid, isToRecord && log.recordRemoval(cid));
        } finally {
            stripes.leave(stripe);
        }
        if (pageEmpty) {
            space.releaseTablePage(cid);
            upkeep.changed();
        }
        return Status.OK;
    }

    // ---- memory without an entry ----

    /** Allocates memory that no entry refers to yet, and fills it; returns its address or FULL. */
    public long allocateFilled(@Nullable Object source, long offset, long length) {
        AllocStripe stripe = space.acquire();
        try {
            return fill(stripe, source, offset, length);
        } finally {
            space.allocStripes.release(stripe);
        }
    }

    /** Frees memory. Runs in an allocation stripe, so that nothing is freed in a quiet moment or after close. */
    public void freeMemory(long address, long length) {
        AllocStripe stripe = space.acquire();
        try {
            chunks.free(address, length);
        } finally {
            space.allocStripes.release(stripe);
        }
    }
}
