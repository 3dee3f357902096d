package io.teff.engine.offer;

import io.teff.engine.Store;
import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.chunk.OfferDoor;
import io.teff.engine.config.DebugLevel;
import io.teff.engine.memory.Memory;
import io.teff.engine.memory.RegionLayout;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.Table;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a store, for readers outside of its process. Thread-safe.
 *
 * <p>Whoever registers a segment ends its registration before {@link #close}, and closes the offer before the store. If
 * the store is closed first, readers find that out: its stripes are closed before its memory goes.
 */
public final class MemoryOffer implements AutoCloseable {
    private final Store store;
    private final ChunkSpace space;
    private final AtomicBoolean isOpen = new AtomicBoolean(true);

    private MemoryOffer(Store store, ChunkSpace space) {
        this.store = store;
        this.space = space;
    }

    /**
     * Offers the memory of a store.
     *
     * @param store an open store
     * @return the offer, which the caller must close
     * @throws IllegalStateException without native access, whose memory comes in pieces; with guard pages, which no
     *     reader may touch
     */
    public static MemoryOffer of(Store store) {
        ChunkSpace space = OfferDoor.spaceOf(store);
        if (!Memory.RESERVED) {
            throw new IllegalStateException("memory can be offered with native access only "
                + "(--enable-native-access=io.teff.engine)");
        }
        if (space.config.debugLevel() == DebugLevel.GUARD_PAGES) {
            throw new IllegalStateException("memory with guard pages cannot be offered");
        }
        space.stripes.checkOpen();
        space.runs.beginOffer();
        return new MemoryOffer(store, space);
    }

    /** {@return the store} */
    public Store store() {
        return store;
    }

    /** {@return all address space of chunks and table pages; its first byte has the address {@link #firstAddress}} */
    public MemorySegment chunks() {
        return space.region.space();
    }

    /** {@return the address, as entry words have it, of the first byte of {@link #chunks}} */
    public long firstAddress() {
        return RegionLayout.FIRST_ADDRESS;
    }

    /** {@return the words of all stripes} */
    public MemorySegment stripes() {
        return space.stripes.words().segment((int) (OfferLayout.stripesBytes(space.stripes.count()) / Long.BYTES));
    }

    /** {@return the number of stripes, a power of two} */
    public int stripeCount() {
        return space.stripes.count();
    }

    /** {@return the word of the epoch: while it is the same, each table page is where it was} */
    public MemorySegment epoch() {
        return space.tables.pages().words().segment(1);
    }

    /**
     * Finds the entry of a chunk, and the epoch in which a reader may use its place.
     *
     * @param cid any CID
     * @return the place
     */
    public EntryPlace place(long cid) {
        long epoch = space.tables.pages().epoch();              // before the look-up, see EntryPlace
        @Nullable Table table = space.tables.find(CidLayout.nid(cid));
        return new EntryPlace(epoch, table == null ? Table.NO_ENTRY : table.entry(CidLayout.index(cid)));
    }

    /** Ends the offer; idempotent. */
    @Override
    public void close() {
        if (isOpen.compareAndSet(true, false)) {
            space.runs.endOffer();
        }
    }
}
