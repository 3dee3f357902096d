package io.teff.engine.care;

import io.teff.engine.alloc.HeapWalk;
import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.CreatorTables;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;
import io.teff.engine.table.Zone;
import java.util.BitSet;

/**
 * Walks over all chunks and all memory of a store, in a quiet moment. Chunks of zones that are being filled or given
 * back are left out; their memory counts as in use, and the pages of their tables as runs. Needs 4 KiB of Java heap per
 * GiB of the region, to remember which pages belong to the table.
 */
public final class StoreWalk {
    private final ChunkSpace space;
    private final HeapWalk memory;
    private final BitSet tablePages = new BitSet();
    private final CreatorTables.Inventory tables;

    public StoreWalk(ChunkSpace space) {
        this.space = space;
        this.tables = space.tables.inventory();
        this.memory = new HeapWalk(space.runs, space.allocStripes);
    }

    /** Returns the address behind the region's last block. */
    public long end() {
        return memory.end();
    }

    /** Returns the number of chunks that the walk leaves out. */
    public long hiddenChunks() {
        return tables.hidden().stream().mapToLong(Zone::chunks).sum();
    }

    /** Returns the payload bytes of the chunks that the walk leaves out. */
    public long hiddenPayloadBytes() {
        return tables.hidden().stream().mapToLong(Zone::payloadBytes).sum();
    }

    /** Walks over the chunk tables of all creators, with their chunks. */
    public <E extends Exception> void walkTables(StoreVisitor<E> visitor) throws E {
        for (Table table : tables.visible()) {
            for (long page = table.nextMade(0); page >= 0; page = table.nextMade(Table.nextPage(page))) {
                walkTable(table, page, visitor);
            }
        }
    }

    /** Walks over the memory of the region. Must be called after {@link #walkTables}. */
    public <E extends Exception> void walkMemory(StoreVisitor<E> visitor) throws E {
        memory.walk(this::isTablePage, visitor);
    }

    private <E extends Exception> void walkTable(Table table, long first, StoreVisitor<E> visitor) throws E {
        long entry = table.entry(first);
        int chunks = 0;
        int reserved = 0;
        int retired = 0;
        for (int slot = 0; slot < Table.PAGE_ENTRIES; slot++) {
            long word = space.memory.getLong(entry + (long) slot * Long.BYTES);
            int state = EntryWord.state(word);
            if (state >= EntryWord.EXCLUSIVE) {
                chunks++;
                visitor.chunk(CidLayout.pack(table.nid(), EntryWord.generation(word), first + slot),
                    state >= EntryWord.READ_ONLY, EntryWord.address(word), space.chunks.length(word));
            } else if (state == EntryWord.RESERVED) {
                reserved++;
            } else if (state == EntryWord.RETIRED) {
                retired++;
            }
        }
        tablePages.set(number(entry));
        visitor.table(table.nid(), entry, first, chunks, reserved, retired);
    }

    private boolean isTablePage(long address) {
        return address % Table.PAGE_BYTES == 0 && tablePages.get(number(address));
    }

    private static int number(long address) {
        return (int) (address / Table.PAGE_BYTES);
    }
}
