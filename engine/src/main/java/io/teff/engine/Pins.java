package io.teff.engine;

import io.teff.engine.chunk.Changes;
import io.teff.engine.chunk.Pinning;
import java.util.ArrayList;
import java.util.List;

/**
 * Pins of chunks. A pinned chunk keeps its address and length until its last pin ends; attempts to remove or resize it
 * return PINNED meanwhile.
 *
 * <p>Pins are meant for passing memory to native code or hardware. Writes through a pin are neither atomic nor ordered
 * with other operations; to exclude them, hold the chunk's lock. Pins are counted per chunk, and do not belong to a
 * thread. Thread-safe.
 *
 * <p>A durable store cannot detect whether memory was written through a pin. Therefore it logs the chunk at the end of
 * each pin whose segment or address was requested, except for pins of {@link #pinToRead}.
 */
public final class Pins {
    private final Pinning pinning;
    private final Changes changes;
    private final StoreHandle handle;

    Pins(StoreHandle handle, Pinning pinning, Changes changes) {
        this.handle = handle;
        this.pinning = pinning;
        this.changes = changes;
    }

    /**
     * Pins a chunk.
     *
     * @param cid the chunk
     * @return the pin, which the caller must close; its segment is read-only if the store is
     * @throws java.util.NoSuchElementException if there is no such chunk
     * @throws io.teff.engine.error.StoreException of category RETRY if another thread keeps the chunk locked
     */
    public Pin pin(long cid) {
        return pin(cid, pinning.isReadOnly());
    }

    /**
     * Pins a chunk for reading only.
     *
     * @param cid the chunk
     * @return the pin, which the caller must close; its segment is read-only
     * @throws java.util.NoSuchElementException if there is no such chunk
     * @throws io.teff.engine.error.StoreException of category RETRY if another thread keeps the chunk locked
     */
    public Pin pinToRead(long cid) {
        return pin(cid, true);
    }

    private Pin pin(long cid, boolean isReadOnly) {
        return new Pin(handle, changes, cid, pinning.begin(cid), isReadOnly);
    }

    /**
     * Ends one pin of a chunk by CID, for a pin whose {@link Pin} object is lost.
     *
     * <p>Pins are only counted, so the store does not know which pin of the chunk ends. Therefore a durable store logs
     * the chunk as if the pin had written to it, unless the chunk or the store is read-only. To avoid that, end pins of
     * {@link #pinToRead} by {@link Pin#close}.
     *
     * @param cid the chunk
     * @return OK, or NOT_HELD if the chunk has no pin
     * @throws io.teff.engine.error.StoreException like {@link Pin#close}; the pin has ended in each case
     */
    public int unpin(long cid) {
        return changes.unpin(cid, true);
    }

    /**
     * A pinned chunk.
     *
     * @param cid the chunk
     * @param count number of its pins, at least 1
     */
    public record PinnedChunk(long cid, int count) {}

    /**
     * Lists the pinned chunks, to find leaked pins.
     *
     * @return the pinned chunks; the pins of each stripe are read atomically, the list as a whole is not
     */
    public List<PinnedChunk> list() {
        List<PinnedChunk> pinned = new ArrayList<>();
        pinning.forEach((cid, count) -> pinned.add(new PinnedChunk(cid, count)));
        return pinned;
    }
}
