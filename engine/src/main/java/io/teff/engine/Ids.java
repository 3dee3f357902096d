package io.teff.engine;

import io.teff.engine.check.Arguments;
import io.teff.engine.chunk.Changes;
import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.error.Status;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;
import io.teff.engine.view.ChunkFilter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The operations of {@link IdOperations} on this store, and cursors and ranges of its CIDs. Thread-safe. */
public final class Ids implements IdOperations {
    private final ChunkSpace space;
    private final Changes changes;
    private final Core core;
    /** Keeps the store reachable, and therefore open, while the application can reach this object. */
    @SuppressWarnings({"unused", "UnusedVariable"})
    private final StoreHandle handle;

    Ids(StoreHandle handle, Core core) {
        this.handle = handle;
        this.core = core;
        this.space = core.space;
        this.changes = core.changes;
    }

    // ---- reserve and create ----

    @Override
    public long reserve() {
        return changes.reserve();
    }

    @Override
    public int reserve(long[] cids, int from, int count) {
        Arguments.checkRange(cids.length, from, count);
        if (count == 0) {
            space.stripes.checkOpen();
            return 0;
        }
        int reserved = changes.reserve(cids, from, count);
        return reserved == Status.OK ? count : reserved;
    }

    @Override
    public int unreserve(long cid) {
        return changes.unreserve(cid);
    }

    @Override
    public int createAt(long cid, byte[] source) {
        return createAt(cid, source, 0, source.length, EntryWord.PLAIN);
    }

    @Override
    public int createAt(long cid, byte[] source, int offset, int length) {
        return createAt(cid, source, offset, length, EntryWord.PLAIN);
    }

    @Override
    public int createAt(long cid, MemorySegment source, long offset, long length) {
        return createAt(cid, source, offset, length, EntryWord.PLAIN);
    }

    @Override
    public int createAt(long cid, long length) {
        Arguments.checkLength(length);
        return createAt(cid, null, 0, length, EntryWord.PLAIN);
    }

    private int createAt(long cid, @Nullable Object source, long offset, long length, int state) {
        if (Cid.nid(cid) > Cid.NID_MAX || Cid.index(cid) == 0) {
            throw new IllegalArgumentException("cid=" + Cid.toString(cid) + " is never the CID of a chunk");
        }
        if (!core.isOwn() && Cid.nid(cid) != core.zone.nid()) {
            throw new IllegalArgumentException("cid=" + Cid.toString(cid) + " is not in zone " + core.zone.nid());
        }
        return changes.createAt(cid, source, offset, length, state);
    }

    // ---- iteration ----

    /** {@return a cursor over the CIDs of all chunks, of all creators} */
    public CidCursor cursor() {
        return new CidCursor(handle, space, core.isOwn() ? space.tables.all() : List.of(core.zone.table()));
    }

    /** Returns a cursor over the CIDs of a zone from an index on. */
    CidCursor cursorFrom(long index) {
        return new CidCursor(handle, space, List.of(core.zone.table()), index);
    }

    /**
     * Returns a cursor over the CIDs of one creator's chunks.
     *
     * @param nid NID of the creator, 0 to {@link Cid#NID_MAX}
     * @return the cursor; empty if the store has no chunk of that creator
     * @throws IllegalArgumentException if the NID is out of range
     */
    public CidCursor cursor(int nid) {
        space.stripes.checkOpen();
        Table table = space.tables.find(Cid.nid(Cid.of(nid, 0)));
        return new CidCursor(handle, space, table == null ? List.of() : List.of(table));
    }

    @Override
    public void forEach(LongConsumer consumer) {
        CidCursor cursor = cursor();
        for (long cid = cursor.next(); cid != Cid.NONE; cid = cursor.next()) {
            consumer.accept(cid);
        }
    }

    @Override
    public void forEach(ChunkFilter filter, LongConsumer consumer) {
        Objects.requireNonNull(consumer);
        ChunkFilter.Contents contents = contents();
        forEach(cid -> {
            if (filter.hasZone(Cid.nid(cid)) && filter.isPassed(contents, cid)) {
                consumer.accept(cid);
            }
        });
    }

    private ChunkFilter.Contents contents() {
        return new ChunkFilter.Contents() {
            @Override
            public long size(long cid) {
                return core.reads.size(cid);
            }

            @Override
            public int getBytes(long cid, long chunkOffset, byte[] target) {
                return core.reads.getBytes(cid, chunkOffset, target, 0, target.length);
            }
        };
    }

    /**
     * Returns the CIDs of all chunks as ranges, in order; weakly consistent, like a cursor.
     *
     * @return the ranges; usually few, because CIDs are dense
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
     * Returns the NIDs of the creators of all chunks that this store holds or held, starting with the store's own NID.
     *
     * @return the NIDs
     */
    public List<Integer> creators() {
        space.stripes.checkOpen();
        return space.tables.all().stream().map(Table::nid).toList();
    }

    /** {@return an upper bound of the indexes that this store has issued, exact or slightly above the highest} */
    public long highestIndex() {
        space.stripes.checkOpen();
        return space.ids.end() - 1;
    }
}
