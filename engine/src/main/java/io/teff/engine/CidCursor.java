package io.teff.engine;

import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the CIDs of all chunks, or of one creator's, in order of creator and index, without allocating.
 *
 * <p>Weakly consistent: returns each chunk that exists during the whole iteration once; a chunk that is created or
 * removed meanwhile may be returned or not. For one thread at a time.
 */
public final class CidCursor {
    private final ChunkSpace space;
    /** Keeps the store open while the application refers to nothing but this object. */
    @SuppressWarnings({"unused", "UnusedVariable"})
    private final StoreHandle handle;
    private final Iterator<Table> tables;
    private @Nullable Table table;
    private long index;

    CidCursor(StoreHandle handle, ChunkSpace space, List<Table> tables) {
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
                long at = index++;
                long word = proven(current, at);
                if (EntryWord.state(word) >= EntryWord.EXCLUSIVE) {
                    return CidLayout.pack(current.nid(), EntryWord.generation(word), at);
                }
            } else {
                current = tables.hasNext() ? tables.next() : null;
                table = current;
                index = 0;
            }
        }
        return Cid.NONE;
    }

    private long proven(Table table, long at) {
        int stripe = space.stripes.of(at);
        for (;;) {
            long begun = space.stripes.begin(stripe);
            long entry = table.entry(at);
            long word = entry == Table.NO_ENTRY ? 0 : space.memory.getLongAcquire(entry);
            if (space.stripes.unchanged(stripe, begun)) {
                return word;
            }
        }
    }
}
