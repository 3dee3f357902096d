package io.teff.engine;

import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over the CIDs of all chunks, or of one creator's chunks, in order of creator and index. {@link #next}
 * allocates no memory.
 *
 * <p>Weakly consistent: returns each chunk that exists during the whole iteration once, and may or may not return a
 * chunk that is created or removed meanwhile. Not thread-safe.
 */
public final class CidCursor {
    private final ChunkSpace space;
    /** Keeps the store reachable, and therefore open, while the application can reach this object. */
    @SuppressWarnings({"unused", "UnusedVariable"})
    private final StoreHandle handle;
    private final Iterator<Table> tables;
    private @Nullable Table table;
    private long index;

    CidCursor(StoreHandle handle, ChunkSpace space, List<Table> tables) {
        this(handle, space, tables, 0);
    }

    /** Makes a cursor that begins at an index of the first table. */
    CidCursor(StoreHandle handle, ChunkSpace space, List<Table> tables, long first) {
        index = first;
        this.handle = handle;
        this.space = space;
        this.tables = tables.iterator();
        this.table = this.tables.hasNext() ? this.tables.next() : null;
    }

    /**
     * Moves to the next CID.
     *
     * @return the next CID, or {@link Cid#NONE} at the end
     */
    public long next() {
        for (Table current = table; current != null; ) {
            index = current.nextMade(index);
            if (index >= 0) {
                long found = index++;
                long word = readEntry(current, found);
                if (EntryWord.state(word) >= EntryWord.EXCLUSIVE) {
                    return CidLayout.pack(current.nid(), EntryWord.generation(word), found);
                }
            } else {
                current = tables.hasNext() ? tables.next() : null;
                table = current;
                index = 0;
            }
        }
        return Cid.NONE;
    }

    /** Returns an entry word that no writer changed during the read, or 0 if the table has no such entry. */
    private long readEntry(Table table, long index) {
        int stripe = space.stripes.of(index);
        for (;;) {
            long begun = space.stripes.begin(stripe);
            long entry = table.entryToRead(index);
            long word = entry == Table.NO_ENTRY ? 0 : space.memory.getLongAcquire(entry);
            if (space.stripes.unchanged(stripe, begun)) {
                return word;
            }
        }
    }
}
