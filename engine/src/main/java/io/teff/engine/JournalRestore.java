package io.teff.engine;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.engine.lock.Stripes;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/** Fills an empty store with what a journal has kept. Entries are published inside of their stripe. */
final class JournalRestore implements ChunkRestorer {
    private final Core core;
    private final Stripes stripes;
    /** Behind the highest index of the own table that was told of. */
    private final AtomicLong end = new AtomicLong();

    JournalRestore(Core core) {
        this.core = core;
        this.stripes = core.stripes;
    }

    @Override
    public void put(long cid, boolean isReadOnly, MemorySegment source, long offset, long length) {
        AllocStripe stripe = core.acquire();
        try {
            long address = allocate(stripe, length);
            if (length > 0) {
                core.memory.copyIn(source, offset, address, length);
            }
            publish(stripe, cid, isReadOnly, address, length);
        } finally {
            core.allocStripes.release(stripe);
        }
    }

    @Override
    public void make(long cid, boolean isReadOnly, long length) {
        AllocStripe stripe = core.acquire();
        try {
            publish(stripe, cid, isReadOnly, allocate(stripe, length), length);
        } finally {
            core.allocStripes.release(stripe);
        }
    }

    private long allocate(AllocStripe stripe, long length) {
        Core.checkLength(length);
        long address = core.chunks.allocate(stripe, length);
        if (address == ChunkMemory.FULL) {
            throw full();
        }
        return address;
    }

    private void publish(AllocStripe stripe, long cid, boolean isReadOnly, long address, long length) {
        int state = isReadOnly ? EntryWord.READ_ONLY : EntryWord.PLAIN;
        boolean isDone = false;
        try {
            set(cid, EntryWord.chunk(state, CidLayout.generation(cid), ChunkMemory.lengthField(length), address));
            isDone = true;
        } finally {
            if (!isDone) {
                core.chunks.free(address, length);
            }
        }
        stripe.count(1, length, core.chunks.takenBytes(length));
        if (CidLayout.nid(cid) != core.own.nid()) {
            core.tables.make(CidLayout.nid(cid)).countForeign(CidLayout.index(cid), 1);
        }
    }

    @Override
    public void write(long cid, long at, MemorySegment source, long offset, long length) {
        int stripe = stripes.of(cid);
        stripes.enter(stripe);
        try {
            long word = core.word(cid);
            if (!EntryWord.isChunk(word, cid) || !Reads.isInside(at, length, core.chunks.length(word))) {
                throw new IndexOutOfBoundsException(length + " bytes at " + at + " are not inside of chunk "
                    + Cid.toString(cid));
            }
            if (length > 0) {
                core.memory.copyIn(source, offset, EntryWord.address(word) + at, length);
            }
        } finally {
            stripes.leave(stripe);
        }
    }

    @Override
    public void removed(long cid) {
        int generation = CidLayout.generation(cid);
        if (CidLayout.nid(cid) == core.own.nid()) {             // of other creators nothing is left
            set(cid, generation == CidLayout.GENERATIONS - 1 ? EntryWord.retired() : EntryWord.free(generation + 1, 0));
        }
    }

    @Override
    public void reserved(long cid) {
        set(cid, EntryWord.reserved(CidLayout.generation(cid)));
    }

    private void set(long cid, long word) {
        long index = CidLayout.index(cid);
        Table table = core.tables.make(CidLayout.nid(cid));
        long entry = table.makeEntry(index);
        if (entry == Table.NO_ENTRY) {
            throw full();
        }
        if (!core.memory.casLong(entry, 0, word)) {
            throw StoreException.fatal("index " + index + " of " + Cid.toString(cid) + " is restored twice");
        }
        if (table == core.own) {
            end.accumulateAndGet(index + 1, Math::max);
        }
    }

    /** Nothing more is restored. */
    void end() {
        core.ids.rebuild(Math.max(end.get(), 1));
    }

    private static StoreException full() {
        return new StoreException(Category.DEGRADED, "the memory limit is too small for what is restored");
    }
}
