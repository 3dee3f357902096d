package io.teff.engine;

import io.teff.engine.check.Arguments;
import io.teff.engine.chunk.Changes;
import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.error.Status;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Work with CIDs: reserve them before there is content, create at a given one, walk them. Thread-safe.
 *
 * <p>Reserving is for loading graphs: all vertices get their CIDs first, then each is created at its own, with the
 * others' CIDs in its content.
 */
public final class Ids {
    private final ChunkSpace space;
    private final Changes changes;
    /** Keeps the store open while only this object of it is used. */
    @SuppressWarnings({"unused", "UnusedVariable"})
    private final StoreHandle handle;

    Ids(StoreHandle handle, Core core) {
        this.handle = handle;
        this.space = core.space;
        this.changes = core.changes;
    }

    // ---- reserve and create ----

    /**
     * Takes a CID that has no chunk yet. It is absent to all operations until {@link #createAt}.
     *
     * @return the CID, or FULL
     */
    public long reserve() {
        return changes.reserve();
    }

    /**
     * Takes several CIDs, consecutive ones. In a durable store it is refused before the first one or not at all; where
     * the disk gets full meanwhile, very many wait until there is room.
     *
     * @param cids where to
     * @param from first index
     * @param count how many
     * @return count, or FULL; then none is taken
     */
    public int reserve(long[] cids, int from, int count) {
        Arguments.checkRange(cids.length, from, count);
        if (count == 0) {
            return 0;
        }
        int reserved = changes.reserve(cids, from, count);
        return reserved == Status.OK ? count : reserved;
    }

    /**
     * Gives a reserved CID up; it is never used again.
     *
     * @param cid what {@link #reserve()} returned
     * @return OK, or ABSENT if it is not reserved
     */
    public int unreserve(long cid) {
        return changes.unreserve(cid);
    }

    /**
     * Makes a chunk at a CID that is reserved, or was never issued, or has another creator (a chunk that moves in).
     * Ascending CIDs are fastest; in other orders the page's list of up to 4,096 free ids is searched.
     *
     * @param cid the CID
     * @param source its content
     * @return OK, FULL, or EXISTS if there is a chunk, the CID was issued before, it is set aside for one of the next
     *     creates, or its generation is not above those of its neighbours: when all chunks of a table page (4,096
     *     indexes) are gone, the page is forgotten but for the highest generation that was used in it
     */
    public int createAt(long cid, byte[] source) {
        return createAt(cid, source, 0, source.length, EntryWord.PLAIN);
    }

    /**
     * The same, from a part of an array.
     *
     * @param cid the CID
     * @param source its content
     * @param offset first index
     * @param length bytes
     * @return OK, FULL, or EXISTS
     */
    public int createAt(long cid, byte[] source, int offset, int length) {
        return createAt(cid, source, offset, length, EntryWord.PLAIN);
    }

    /**
     * The same, from a segment.
     *
     * @param cid the CID
     * @param source its content
     * @param offset first byte
     * @param length bytes
     * @return OK, FULL, or EXISTS
     */
    public int createAt(long cid, MemorySegment source, long offset, long length) {
        return createAt(cid, source, offset, length, EntryWord.PLAIN);
    }

    /**
     * The same, of zeros.
     *
     * @param cid the CID
     * @param length bytes
     * @return OK, FULL, or EXISTS
     */
    public int createAt(long cid, long length) {
        Arguments.checkLength(length);
        return createAt(cid, null, 0, length, EntryWord.PLAIN);
    }

    private int createAt(long cid, @Nullable Object source, long offset, long length, int state) {
        if (Cid.nid(cid) > Cid.NID_MAX || Cid.index(cid) == 0) {
            throw new IllegalArgumentException("cid=" + Cid.toString(cid) + " is never a chunk's");
        }
        return changes.createAt(cid, source, offset, length, state);
    }

    // ---- walk ----

    /** {@return a cursor over the CIDs of all chunks, of all creators} */
    public CidCursor cursor() {
        return new CidCursor(handle, space, space.tables.all());
    }

    /**
     * A cursor over the CIDs of one creator's chunks.
     *
     * @param nid the creator
     * @return the cursor; empty if there is no chunk of it
     */
    public CidCursor cursor(int nid) {
        Table table = space.tables.find(Cid.nid(Cid.of(nid, 0)));
        return new CidCursor(handle, space, table == null ? List.of() : List.of(table));
    }

    /**
     * Walks the CIDs of all chunks; weakly consistent like a cursor.
     *
     * @param consumer told of each CID
     */
    public void forEach(LongConsumer consumer) {
        CidCursor cursor = cursor();
        for (long cid = cursor.next(); cid != Cid.NONE; cid = cursor.next()) {
            consumer.accept(cid);
        }
    }

    /**
     * The CIDs of all chunks as ranges, in order; weakly consistent like a cursor.
     *
     * @return few ranges, because CIDs are dense
     */
    public List<CidRange> ranges() {
        List<CidRange> ranges = new ArrayList<>();
        CidCursor cursor = cursor();
        long first = cursor.next();
        while (first != Cid.NONE) {
            long last = first;
            long next = cursor.next();
            while (next == last + 1 && Cid.index(next) != 0) {
                last = next;
                next = cursor.next();
            }
            ranges.add(new CidRange(first, last));
            first = next;
        }
        return ranges;
    }

    /**
     * The NIDs of creators that this store has or had chunks of, its own first.
     *
     * @return NIDs
     */
    public List<Integer> creators() {
        return space.tables.all().stream().map(Table::nid).toList();
    }

    /** {@return an index that no own CID exceeds so far; the highest one may be lower} */
    public long highestIndex() {
        return space.ids.end() - 1;
    }
}
