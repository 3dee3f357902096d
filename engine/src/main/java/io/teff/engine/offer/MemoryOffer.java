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
 * The memory of a store, for readers outside of the process. Thread-safe.
 *
 * <p>A caller that registers a segment with a device ends the registration before {@link #close}, and closes the offer
 * before the store. If the store is closed first, the readers notice the close: the store closes all stripes before the
 * memory goes. A store may have several offers at a time.
 *
 * <p>The segments of {@link #chunks}, {@link #stripes} and {@link #epoch} are for devices that read. A write through a
 * segment destroys the store. The segments are mapped as long as the offer is reachable.
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
     * Offers the memory of a store. Until the offer is closed, the store gives no memory back to the kernel.
     *
     * @param store an open store
     * @return the offer, which the caller must close
     * @throws IllegalStateException if the module {@code io.teff.engine} has no native access, because the memory of
     *     such a store is in pieces; or if the store has guard pages ({@link DebugLevel#GUARD_PAGES}), because no
     *     reader may touch guard pages
     * @throws io.teff.engine.error.StoreClosedException if the store is closed
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

    /** {@return the address space of all chunks and table pages; its first byte is at {@link #firstAddress}} */
    public MemorySegment chunks() {
        return space.region.space();
    }

    /** {@return the address of the first byte of {@link #chunks}; entry words count in the same addresses} */
    public long firstAddress() {
        return RegionLayout.FIRST_ADDRESS;
    }

    /** {@return the words of all stripes, see {@link OfferLayout#stripeOffset}} */
    public MemorySegment stripes() {
        return space.stripes.words().segment((int) (OfferLayout.stripesBytes(space.stripes.count()) / Long.BYTES));
    }

    /** {@return the number of stripes, a power of two} */
    public int stripeCount() {
        return space.stripes.count();
    }

    /** {@return the word of the epoch: while the word does not change, each table page stays at its place} */
    public MemorySegment epoch() {
        return space.tables.pages().words().segment(1);
    }

    /**
     * Finds the entry of a chunk, and the epoch in which a reader may use the place.
     *
     * @param cid any CID, also of a chunk that does not exist
     * @return the place; the address is 0 if no page of the chunk table has the CID
     */
    public EntryPlace place(long cid) {
        long epoch = space.tables.pages().epoch();              // before the look-up, see EntryPlace
        @Nullable Table table = space.tables.find(CidLayout.nid(cid));
        return new EntryPlace(epoch, table == null ? Table.NO_ENTRY : table.entry(CidLayout.index(cid)));
    }

    /** Ends the offer. Idempotent. All registrations of the segments must have ended. */
    @Override
    public void close() {
        if (isOpen.compareAndSet(true, false)) {
            space.runs.endOffer();
        }
    }
}
