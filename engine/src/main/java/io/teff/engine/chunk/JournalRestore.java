package io.teff.engine.chunk;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.check.Arguments;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.StoredLength;
import io.teff.engine.table.Table;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/** Fills an empty store with the chunks of a journal. No other thread sees an entry before the restore has ended. */
public final class JournalRestore implements ChunkRestorer {
    private final ChunkSpace space;
    /** One more than the highest restored index of the store's own table. */
    private final AtomicLong end = new AtomicLong();
    private boolean isHeadroomUsed;

    public JournalRestore(ChunkSpace space) {
        this.space = space;
    }

    @Override
    public void put(long cid, boolean isReadOnly, MemorySegment source, long offset, long length) {
        AllocStripe stripe = space.acquire();
        try {
            long address = allocate(stripe, length);
            if (length > 0) {
                space.memory.copyIn(source, offset, address, length);
            }
            publish(stripe, cid, isReadOnly, address, length);
        } finally {
            space.allocStripes.release(stripe);
        }
    }

    @Override
    public Pieces begin(long length) {
        AllocStripe stripe = space.acquire();
        try {
            return new Content(allocate(stripe, length), length);
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
                space.allocStripes.release(stripe);
            }
        }

        @Override
        public void discard() {
            space.chunks.free(address, length);
        }
    }

    private long allocate(AllocStripe stripe, long length) {
        Arguments.checkLength(length);
        long address = space.chunks.allocate(stripe, length);
        if (address == ChunkMemory.FULL) {
            throw full();
        }
        return address;
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
        if (CidLayout.nid(cid) != space.own.nid()) {
            space.tables.make(CidLayout.nid(cid)).countForeign(CidLayout.index(cid), chunks);
        }
    }

    @Override
    public void removed(long cid) {
        int generation = CidLayout.generation(cid);
        if (CidLayout.nid(cid) != space.own.nid()) {
            set(cid, 0);                                        // other creators' tables keep no generations
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
        Table table = space.tables.make(CidLayout.nid(cid));
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
        if (table == space.own && end.get() <= index) {
            end.accumulateAndGet(index + 1, Math::max);
        }
    }

    /** Ends the restore: rebuilds the free indexes of the store's own table. */
    public void end() {
        if (isHeadroomUsed) {
            space.region.useHeadroom(false);
        }
        space.ids.rebuild(Math.max(end.get(), 1));
    }

    @Override
    public boolean useHeadroom() {
        if (isHeadroomUsed) {
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
