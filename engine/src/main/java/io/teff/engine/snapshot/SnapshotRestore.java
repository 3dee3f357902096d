package io.teff.engine.snapshot;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.chunk.ChunkMemory;
import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.StoredLength;
import io.teff.engine.table.Table;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Restores the content of a snapshot to an empty store that no other thread can reach yet. Ignores the map: chunks get
 * new addresses.
 */
final class SnapshotRestore implements SnapshotContent {
    private final ChunkSpace space;
    /** Allocation stripe; held by the restoring thread. */
    private final AllocStripe stripe;
    private final BlockReader reader;
    /** Address for the next bytes of payload. */
    private long target;

    SnapshotRestore(ChunkSpace space, AllocStripe stripe, BlockReader reader) {
        this.space = space;
        this.stripe = stripe;
        this.reader = reader;
    }

    @Override
    public void ids(long first, int count, int generation, int kind) {
        if (kind == SnapshotLayout.KIND_RELEASED) {
            for (long page = first; page < first + count; page = Table.nextPage(page)) {
                space.own.markReleased(page, generation);
            }
            return;
        }
        long word = kind == SnapshotLayout.KIND_FREE ? EntryWord.free(generation, 0)
            : kind == SnapshotLayout.KIND_RESERVED ? EntryWord.reserved(generation) : EntryWord.retired();
        for (long index = first; index < first + count; index++) {
            space.memory.putLong(makeEntry(space.own, index), word);
        }
    }

    /** Returns the entry of an index; creates its table page if needed. */
    private long makeEntry(Table table, long index) {
        if (table.entry(index) == Table.NO_ENTRY && table.releasedGeneration(index) != 0) {
            throw reader.damage("index=" + index + " is in a released page");
        }
        long entry = table.makeEntry(index);
        if (entry == Table.NO_ENTRY) {
            throw full();
        }
        return entry;
    }

    /** Creates memory and entry of a chunk. No other thread can read the chunk before the restore has ended. */
    @Override
    public void chunk(long cid, long length, boolean readOnly) {
        long index = CidLayout.index(cid);
        Table table = space.tables.make(CidLayout.nid(cid));
        long entry = makeEntry(table, index);
        if (space.memory.getLong(entry) != 0) {
            throw reader.damage("chunk " + CidLayout.toString(cid) + " occurs twice");
        }
        target = space.chunks.allocate(stripe, length);
        if (target == ChunkMemory.FULL) {
            throw full();
        }
        space.memory.putLongRelease(entry, EntryWord.chunk(readOnly ? EntryWord.READ_ONLY : EntryWord.PLAIN,
            CidLayout.generation(cid), StoredLength.field(length), target));
        stripe.count(1, length, space.chunks.takenBytes(length));
        if (table != space.own) {
            table.countForeign(index, 1);
        }
    }

    @Override
    public void payload(ByteBuffer source, int count) {
        if (count > 0) {
            space.memory.copyIn(MemorySegment.ofBuffer(source), 0, target, count);
            target += count;
        }
    }

    @Override
    public void map(ByteBuffer records) {}

    private static StoreException full() {
        return new StoreException(Category.DEGRADED, "the memory limit is too small for the snapshot");
    }
}
