package io.teff.engine.chunk;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.error.Status;
import io.teff.engine.lock.ChunkLocks;
import io.teff.engine.lock.LockIntent;
import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.Memory;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.IdAllocator;
import io.teff.engine.table.StoredLength;
import io.teff.engine.table.Table;
import org.jspecify.annotations.Nullable;

/**
 * Operations that make chunks, and that take CIDs for chunks to come.
 *
 * <p>A create works in an allocation stripe only: memory, content, id, then the entry by one release store, because
 * nobody can know the CID before. A chunk at a given CID, or one that is held from the first moment, is published
 * inside of its stripe. One that takes long to tell of is held while it is told of, so that nobody waits for that
 * inside of a stripe.
 */
public final class Creates {
    private final ChunkSpace space;
    private final Stripes stripes;
    private final Memory memory;
    private final ChunkLocks locks;
    private final ChunkMemory chunks;
    private final ChangeLog log;
    private final Upkeep upkeep;

    public Creates(ChunkSpace space, ChangeLog log, Upkeep upkeep) {
        this.space = space;
        this.stripes = space.stripes;
        this.memory = space.memory;
        this.locks = space.locks;
        this.chunks = space.chunks;
        this.log = log;
        this.upkeep = upkeep;
    }

    // ---- create ----

    /** Makes a chunk with content, or of zeros without a source; its CID or FULL. */
    public long create(@Nullable Object source, long offset, long length, int state) {
        if (log.takesLong(length)) {
            return createFresh(source, offset, length, state, null);
        }
        AllocStripe stripe = space.acquire();
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

    /** A segment may be closed, or another thread's. */
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
        long index = space.ids.issue(stripe.index());
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
                takeBack(index);
            }
        }
    }

    /** Frees an index that was issued and could not be recorded. */
    private void takeBack(long index) {
        long entry = space.own.entry(index);
        space.ids.free(index, entry, EntryWord.generation(memory.getLong(entry)));
    }

    private long publishAt(AllocStripe stripe, long index, long address, long length, int state) {
        long entry = space.own.entry(index);
        int generation = EntryWord.generation(memory.getLong(entry));
        long cid = CidLayout.pack(space.own.nid(), generation, index);
        long word = EntryWord.chunk(state, generation, StoredLength.field(length), address);
        boolean isTold = false;
        try {
            log.appears(cid, word);
            isTold = true;
        } finally {
            if (!isTold) {
                chunks.free(address, length);
            }
        }
        memory.putLongRelease(entry, word);
        stripe.count(1, length, chunks.takenBytes(length));
        return cid;
    }

    /** Makes chunks at consecutive fresh CIDs, of given lengths or all of one length; returns how many. */
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
                log.begin();                                    // room for the next part
                long length = lengthOf(lengths, oneLength, made);
                if (log.takesLong(length)) {
                    cids[from + made] = createLongAt(first + made, source, at, length);
                    isFull = cids[from + made] == Status.FULL;
                    made += isFull ? 0 : 1;
                    at += length;
                    continue;
                }
                int end = Math.min(count, made + Thresholds.CREATES_PER_STRIPE);
                long endAt = at + Thresholds.CREATED_BYTES_PER_STRIPE;
                AllocStripe stripe = space.acquire();
                try {
                    while (!isFull && made < end && at < endAt && !log.takesLong(length)) {
                        long address = space.own.makeEntry(first + made) == Table.NO_ENTRY ? ChunkMemory.FULL
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

    /** Makes a long chunk at an index of a range; its CID or FULL. */
    private long createLongAt(long index, @Nullable Object source, long offset, long length) {
        if (!makePages(index, index + 1)) {
            return Status.FULL;
        }
        long cid = freshCid(index);
        return place(cid, source, offset, length, EntryWord.PLAIN, null, true) == Status.OK ? cid : Status.FULL;
    }

    private long issueRange(int count) {
        AllocStripe stripe = space.acquire();
        try {
            return space.ids.issueRange(stripe.index(), count);
        } finally {
            space.allocStripes.release(stripe);
        }
    }

    /** In an allocation stripe too: not in a quiet moment, and not after close. */
    private void endRange(long first, int made, int count) {
        AllocStripe stripe = space.acquire();
        try {
            space.ids.endRange(count, first + made, first + count);
        } finally {
            space.allocStripes.release(stripe);
        }
        space.releaseEmptiedTablePages();
        upkeep.changed();
    }

    // ---- ids ----

    /** Takes a CID without memory; the CID or FULL. */
    public long reserve() {
        AllocStripe stripe = space.acquire();
        try {
            long index = space.ids.issue(stripe.index());
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
                    takeBack(index);
                }
            }
        } finally {
            space.allocStripes.release(stripe);
        }
    }

    private long reserveAt(long index) {
        long cid = freshCid(index);
        long word = EntryWord.reserved(CidLayout.generation(cid));
        log.appears(cid, word);
        memory.putLongRelease(space.own.entry(index), word);
        return cid;
    }

    /**
     * Takes consecutive CIDs without memory; OK, or FULL. None is taken if not all are: it is refused before the first
     * one or not at all, so where the disk is full then, those beyond what {@link ChangeLog#begin} has kept free wait.
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
                    log.goOn(Thresholds.CREATES_PER_STRIPE);
                }
                cids[from + made] = reserveNext(first + made);
            }
            isDone = true;
            return Status.OK;
        } finally {
            for (int i = 0; !isDone && i < made; i++) {
                endReserved(cids[from + i], false);             // nothing is recorded any more
            }
            endRange(first, made, count);
        }
    }

    /** In an allocation stripe, so that no table page appears in a quiet moment. */
    private boolean makePages(long first, long end) {
        boolean isMade = true;
        for (long index = first; isMade && index < end; index = Table.nextPage(index)) {
            AllocStripe stripe = space.acquire();
            try {
                isMade = space.own.makeEntry(index) != Table.NO_ENTRY;
            } finally {
                space.allocStripes.release(stripe);
            }
        }
        return isMade;
    }

    private long reserveNext(long index) {
        AllocStripe stripe = space.acquire();
        try {
            return reserveAt(index);
        } finally {
            space.allocStripes.release(stripe);
        }
    }

    /** Makes a chunk that the thread holds from the first moment; its CID or FULL. */
    public long createHeld(@Nullable Object source, long offset, long length, LockIntent hold) {
        return createFresh(source, offset, length, EntryWord.PLAIN, hold);
    }

    /** Makes a chunk at a given CID, not held by any thread; OK or a status. */
    public int createAt(long cid, @Nullable Object source, long offset, long length, int state) {
        return place(cid, source, offset, length, state, null, false);
    }

    // ---- chunks that are published inside of their stripe ----

    /** Makes a chunk at a fresh CID, held by the calling thread or not held; its CID or FULL. */
    private long createFresh(@Nullable Object source, long offset, long length, int state, @Nullable LockIntent hold) {
        long index = issue();
        if (index == IdAllocator.FULL) {
            return Status.FULL;
        }
        boolean isMade = false;
        try {
            long cid = freshCid(index);
            isMade = place(cid, source, offset, length, state, hold, true) == Status.OK;
            return isMade ? cid : Status.FULL;
        } finally {
            if (!isMade) {
                takeBackAlone(index);
            }
        }
    }

    private long issue() {
        AllocStripe stripe = space.acquire();
        try {
            return space.ids.issue(stripe.index());
        } finally {
            space.allocStripes.release(stripe);
        }
    }

    private void takeBackAlone(long index) {
        AllocStripe stripe = space.acquire();
        try {
            takeBack(index);
        } finally {
            space.allocStripes.release(stripe);
        }
    }

    /** The CID of an index that was issued, whose table page there is. */
    private long freshCid(long index) {
        int generation = EntryWord.generation(memory.getLong(space.own.entry(index)));
        return CidLayout.pack(space.own.nid(), generation, index);
    }

    /**
     * Makes a chunk at a CID, held by the calling thread or not held; OK or a status.
     *
     * @param isIssued whether the index is the thread's, and stays so if there is no chunk
     */
    private int place(long cid, @Nullable Object source, long offset, long length, int state, @Nullable LockIntent hold,
                      boolean isIssued) {
        space.inFlight.increment();
        try {
            long address = fillAlone(source, offset, length);
            if (address == ChunkMemory.FULL) {
                return Status.FULL;
            }
            int result = Status.FULL;
            try {
                long word = wordOf(cid, address, length, state);
                result = log.takesLong(length)
                    ? publishLong(cid, wordOf(cid, address, length, EntryWord.PLAIN), word, hold, isIssued)
                    : publishGiven(cid, word, hold, isIssued, true);
            } finally {
                if (result != Status.OK) {
                    giveBack(address, length);
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

    private int publishGiven(long cid, long word, @Nullable LockIntent hold, boolean isIssued, boolean isToldInside) {
        Table table = space.tables.make(CidLayout.nid(cid));
        int stripe = stripes.of(cid);
        stripes.enter(stripe);
        try {
            long entry = isIssued ? table.entry(CidLayout.index(cid)) : entryFor(cid, table);
            if (entry < 0) {
                return entry == IdAllocator.FULL ? Status.FULL : Status.EXISTS;
            }
            boolean isTold = !isToldInside;
            try {
                if (isToldInside) {
                    log.appears(cid, word);
                }
                isTold = true;
            } finally {
                if (!isTold && !isIssued && table == space.own) {
                    takeBack(CidLayout.index(cid));
                }
            }
            memory.putLongRelease(entry, word);
            locks.appearedInside(cid, hold);
            count(cid, table, word, 1);
            return Status.OK;
        } finally {
            stripes.leave(stripe);
        }
    }

    private void count(long cid, Table table, long word, int chunk) {
        if (table != space.own) {
            table.countForeign(CidLayout.index(cid), chunk);
        }
        long length = chunks.length(word);
        stripes.countRemoved(stripes.of(cid), -chunk, -chunk * length, -chunk * chunks.takenBytes(length));
    }

    /** Publishes a chunk that the thread holds, tells of it, and lets it go, or not. */
    private int publishLong(long cid, long plain, long word, @Nullable LockIntent hold, boolean isIssued) {
        space.beginRunning();
        try {
            int result = publishGiven(cid, plain, LockIntent.WRITE_LOCK, isIssued, false);
            if (result == Status.OK) {
                boolean isTold = false;
                try {
                    log.appearsHeld(cid, word);
                    isTold = true;
                } finally {
                    if (isTold) {
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
                locks.sealInside(cid);                          // leaves a read hold
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

    /** Ends a chunk that could not be recorded and that no other thread has seen. Its memory stays. */
    private void withdraw(long cid, boolean isIssued) {
        Table table = space.tables.make(CidLayout.nid(cid));
        int stripe = stripes.of(cid);
        stripes.enter(stripe);
        try {
            count(cid, table, space.word(cid), -1);
            space.write(cid, table == space.own ? EntryWord.free(CidLayout.generation(cid), 0) : 0);
            locks.endAllInside(cid);
            if (!isIssued && table == space.own) {
                takeBack(CidLayout.index(cid));
            }
        } finally {
            stripes.leave(stripe);
        }
    }

    /** The entry of a CID that may get a chunk; {@link IdAllocator#TAKEN} or {@link IdAllocator#FULL}. */
    private long entryFor(long cid, Table table) {
        long index = CidLayout.index(cid);
        int generation = CidLayout.generation(cid);
        long word = space.word(cid);
        if (table != space.own) {
            if (EntryWord.state(word) != EntryWord.FREE) {
                return IdAllocator.TAKEN;
            }
            long entry = table.makeEntry(index);
            return entry == Table.NO_ENTRY ? IdAllocator.FULL : entry;
        }
        boolean reserved = EntryWord.state(word) == EntryWord.RESERVED && EntryWord.generation(word) == generation;
        return reserved ? table.entry(index) : space.ids.claim(index, generation);
    }

    /** Gives a reserved CID up; OK or ABSENT. */
    public int unreserve(long cid) {
        return endReserved(cid, true);
    }

    private int endReserved(long cid, boolean isToTell) {
        int stripe = stripes.of(cid);
        boolean pageEmpty;
        stripes.enter(stripe);
        try {
            long word = space.word(cid);
            if (EntryWord.state(word) != EntryWord.RESERVED || EntryWord.generation(word) != CidLayout.generation(cid)
                || CidLayout.nid(cid) != space.own.nid()) {
                return Status.ABSENT;
            }
            pageEmpty = space.endId(cid, isToTell && log.goes(cid));
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

    /** Makes memory with content, which no entry names yet; its address or FULL. */
    public long fillAlone(@Nullable Object source, long offset, long length) {
        AllocStripe stripe = space.acquire();
        try {
            return fill(stripe, source, offset, length);
        } finally {
            space.allocStripes.release(stripe);
        }
    }

    /** In an allocation stripe, so that nothing is freed in a quiet moment or after close. */
    public void giveBack(long address, long length) {
        AllocStripe stripe = space.acquire();
        try {
            chunks.free(address, length);
        } finally {
            space.allocStripes.release(stripe);
        }
    }
}
