package io.teff.engine.chunk;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.check.Arguments;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.journal.ChangedBytes;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.StoredLength;
import io.teff.engine.table.Table;
import io.teff.engine.table.Zone;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * Fills an empty store, or a hidden zone of a store in use, with the chunks of a journal. No other thread sees an entry
 * before the restore has ended.
 */
public final class JournalRestore implements ChunkRestorer {
    private final ChunkSpace space;
    /** The zone whose ids the store will issue. */
    private final Zone zone;
    private final ToLongFunction<LongSupplier> room;
    /** One more than the highest restored index of the zone. */
    private final AtomicLong end = new AtomicLong();
    private boolean isHeadroomUsed;

    /**
     * Begins to fill an empty store, with chunks of any creators.
     *
     * @param space the store's chunks
     */
    public JournalRestore(ChunkSpace space) {
        this(space, space.ownZone, _ -> Status.FULL);
    }

    /**
     * Begins to fill a zone.
     *
     * @param space the store's chunks
     * @param zone the store's own zone, or a hidden one
     * @param room repeats a change that has reached the memory limit, if memory comes back; returns its last result
     */
    JournalRestore(ChunkSpace space, Zone zone, ToLongFunction<LongSupplier> room) {
        this.space = space;
        this.zone = zone;
        this.room = room;
    }

    private boolean isOwn() {
        return zone.equals(space.ownZone);
    }

    @Override
    public void put(long cid, boolean isReadOnly, MemorySegment source, long offset, long length) {
        Arguments.checkLength(length);
        if (tryPut(cid, isReadOnly, source, offset, length) == Status.FULL
            && room.applyAsLong(() -> tryPut(cid, isReadOnly, source, offset, length)) == Status.FULL) {
            throw full();
        }
    }

    private int tryPut(long cid, boolean isReadOnly, MemorySegment source, long offset, long length) {
        AllocStripe stripe = space.acquire();
        try {
            long address = space.chunks.allocate(stripe, length);
            if (address != ChunkMemory.FULL) {
                copyInOrFree(source, offset, address, length);
                publish(stripe, cid, isReadOnly, address, length);
            }
            return address == ChunkMemory.FULL ? Status.FULL : Status.OK;
        } finally {
            space.allocStripes.release(stripe);
        }
    }

    private void copyInOrFree(MemorySegment source, long offset, long address, long length) {
        boolean isCopied = length == 0;
        try {
            if (!isCopied) {
                space.memory.copyIn(source, offset, address, length);
                isCopied = true;
            }
        } finally {
            if (!isCopied) {
                space.chunks.free(address, length);
            }
        }
    }

    @Override
    public boolean change(long cid, MemorySegment source, long offset, int length) {
        int result = tryChange(cid, source, offset, length);
        if (result == Status.FULL) {
            result = (int) room.applyAsLong(() -> tryChange(cid, source, offset, length));
        }
        if (result == Status.FULL) {
            throw full();
        }
        return result == Status.OK;
    }

    private int tryChange(long cid, MemorySegment source, long offset, int length) {
        final int inside = space.stripes.of(cid);
        space.stripes.enter(inside);
        try {
            final long entry = table(cid).entry(CidLayout.index(cid));
            final long word = entry == Table.NO_ENTRY ? 0 : space.memory.getLong(entry);
            if (EntryWord.state(word) != EntryWord.PLAIN || !EntryWord.isChunk(word, cid)) {
                return Status.ABSENT;
            }
            final int chunkBytes = ChangedBytes.chunkBytes(source, offset);
            if (space.chunks.length(word) == chunkBytes) {
                write(source, offset, length, EntryWord.address(word));
                return Status.OK;
            }
            return changeLength(cid, word, source, offset, length, chunkBytes);
        } finally {
            space.stripes.leave(inside);
        }
    }

    private int changeLength(long cid, long word, MemorySegment source, long offset, int length, int chunkBytes) {
        final AllocStripe stripe = space.acquire();
        try {
            final long address = space.chunks.allocate(stripe, chunkBytes);
            if (address == ChunkMemory.FULL) {
                return Status.FULL;
            }
            final long kept = Math.min(space.chunks.length(word), chunkBytes);
            if (kept > 0) {
                space.memory.copy(EntryWord.address(word), address, kept);
            }
            if (chunkBytes > kept) {
                space.memory.fill(address + kept, chunkBytes - kept, (byte) 0);
            }
            write(source, offset, length, address);
            publish(stripe, cid, false, address, chunkBytes);
            return Status.OK;
        } finally {
            space.allocStripes.release(stripe);
        }
    }

    private void write(MemorySegment source, long offset, int length, long address) {
        ChangedBytes.forEachPart(source, offset, length,
            (at, from, bytes) -> space.memory.copyIn(source, from, address + at, bytes));
    }

    @Override
    public Pieces begin(long length) {
        Arguments.checkLength(length);
        long address = allocate(length);
        if (address == Status.FULL) {
            address = room.applyAsLong(() -> allocate(length));
        }
        if (address == Status.FULL) {
            throw full();
        }
        return new Content(address, length);
    }

    private long allocate(long length) {
        AllocStripe stripe = space.acquire();
        try {
            long address = space.chunks.allocate(stripe, length);
            if (address == ChunkMemory.FULL) {
                return Status.FULL;
            }
            space.inFlight.increment();
            return address;
        } finally {
            space.allocStripes.release(stripe);
        }
    }

    /** The content of a chunk with memory, but without an entry. */
    private final class Content implements Pieces {
        private final long address;
        private final long length;

        Content(long address, long length) {
            this.address = address;
            this.length = length;
        }

        @Override
        public void write(long at, MemorySegment source, long offset, long bytes) {
            if (!Reads.isInside(at, bytes, length)) {
                throw new IndexOutOfBoundsException(bytes + " bytes at " + at + " are not inside a chunk of " + length
                    + " bytes");
            }
            if (bytes > 0) {
                space.memory.copyIn(source, offset, address + at, bytes);
            }
        }

        @Override
        public void put(long cid, boolean isReadOnly) {
            AllocStripe stripe = space.acquire();
            try {
                publish(stripe, cid, isReadOnly, address, length);
            } finally {
                space.inFlight.decrement();                     // published or freed
                space.allocStripes.release(stripe);
            }
        }

        @Override
        public void discard() {
            AllocStripe stripe = space.acquire();
            try {
                space.chunks.free(address, length);
                space.inFlight.decrement();
            } finally {
                space.allocStripes.release(stripe);
            }
        }
    }

    private void publish(AllocStripe stripe, long cid, boolean isReadOnly, long address, long length) {
        int state = isReadOnly ? EntryWord.READ_ONLY : EntryWord.PLAIN;
        boolean isDone = false;
        try {
            set(stripe, cid, EntryWord.chunk(state, CidLayout.generation(cid), StoredLength.field(length),
                address));
            isDone = true;
        } finally {
            if (!isDone) {
                space.chunks.free(address, length);
            }
        }
        count(stripe, cid, 1, length);
    }

    private void count(AllocStripe stripe, long cid, int chunks, long length) {
        stripe.count(chunks, chunks * length, chunks * space.chunks.takenBytes(length));
        Table table = table(cid);
        if (table.zone() == null) {
            table.countForeign(CidLayout.index(cid), chunks);
        } else {
            zone.count(chunks, chunks * length, chunks * space.chunks.takenBytes(length));
        }
    }

    private Table table(long cid) {
        int nid = CidLayout.nid(cid);
        if (nid == zone.nid()) {
            return zone.table();
        }
        if (!isOwn()) {
            throw new IllegalArgumentException("cid=" + CidLayout.toString(cid) + " is not in zone " + zone.nid());
        }
        return space.tables.make(nid);
    }

    @Override
    public void removed(long cid) {
        int generation = CidLayout.generation(cid);
        if (CidLayout.nid(cid) != zone.nid()) {
            set(cid, 0);                                        // other creators' tables keep no generations
        } else if (CidLayout.index(cid) == 0) {
            set(cid, EntryWord.free(generation, 0));            // the root of names, whose CID is always the same
        } else {
            set(cid, generation == CidLayout.GENERATIONS - 1 ? EntryWord.retired() : EntryWord.free(generation + 1, 0));
        }
    }

    @Override
    public void reserved(long cid) {
        set(cid, EntryWord.reserved(CidLayout.generation(cid)));
    }

    private void set(long cid, long word) {
        AllocStripe stripe = space.acquire();
        try {
            set(stripe, cid, word);
        } finally {
            space.allocStripes.release(stripe);
        }
    }

    private void set(AllocStripe stripe, long cid, long word) {
        long index = CidLayout.index(cid);
        Table table = table(cid);
        long entry = table.makeEntry(index);
        if (entry == Table.NO_ENTRY) {
            throw full();
        }
        long before = space.memory.getLong(entry);
        space.memory.putLongRelease(entry, word);
        if (EntryWord.state(before) >= EntryWord.EXCLUSIVE) {
            long length = space.chunks.length(before);
            count(stripe, cid, -1, length);
            space.chunks.free(EntryWord.address(before), length);
        }
        if (table.zone() != null && end.get() <= index) {
            end.accumulateAndGet(index + 1, Math::max);
        }
    }

    /** Ends the restore: rebuilds the free indexes of the zone. */
    public void end() {
        if (isHeadroomUsed) {
            space.region.useHeadroom(false);
        }
        zone.ids().rebuild(Math.max(end.get(), 1));
    }

    /** Only for an empty store: other zones would use it, too. */
    @Override
    public boolean useHeadroom() {
        if (isHeadroomUsed || !isOwn()) {
            return false;
        }
        isHeadroomUsed = true;
        space.region.useHeadroom(true);
        return true;
    }

    private StoreException full() {
        long limitBytes = space.config.memoryLimitBytes();
        return new StoreException(Category.DEGRADED, "the memory limit of " + limitBytes
            + " bytes is too small for the restored chunks");
    }
}
