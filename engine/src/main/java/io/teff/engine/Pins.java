package io.teff.engine;

import io.teff.engine.chunk.Changes;
import io.teff.engine.chunk.Pinning;
import java.util.ArrayList;
import java.util.List;

/**
 * Pins: a pinned chunk keeps its address and length until the last unpin; it cannot be removed or resized meanwhile.
 *
 * <p>Meant for handing memory to native code or hardware. What is written through a pin is not ordered with other
 * operations; hold the chunk's lock for that. Pins count, and belong to no thread. Thread-safe.
 *
 * <p>Where changes are kept, in a durable store, a chunk whose segment or address was asked for is kept once more when
 * its pin ends, as nobody can tell whether it was written; one that was pinned to be read is not.
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
     * @return the pin, to be closed
     * @throws java.util.NoSuchElementException if there is no such chunk
     * @throws io.teff.engine.error.StoreException of category RETRY if another thread keeps it locked
     */
    public Pin pin(long cid) {
        return pin(cid, pinning.isReadOnly());
    }

    /**
     * Pins a chunk that is only read through this pin.
     *
     * @param cid the chunk
     * @return the pin, to be closed; its segment refuses to be written
     * @throws java.util.NoSuchElementException if there is no such chunk
     * @throws io.teff.engine.error.StoreException of category RETRY if another thread keeps it locked
     */
    public Pin pinToRead(long cid) {
        return pin(cid, true);
    }

    private Pin pin(long cid, boolean isToRead) {
        return new Pin(handle, changes, cid, pinning.begin(cid), isToRead);
    }

    /**
     * Takes one pin away by CID, for pins whose {@link Pin} object is gone.
     *
     * <p>Pins of a chunk are only counted, so nobody can tell which one this is. Where changes are kept, the chunk is
     * kept once more, as if it was written through it; unless it never changes again, or the store is read-only. Who
     * only reads ends {@link #pinToRead} by {@link Pin#close}, which keeps nothing.
     *
     * @param cid the chunk
     * @return OK or NOT_HELD
     * @throws io.teff.engine.error.StoreException as {@link Pin#close}; the pin has ended all the same
     */
    public int unpin(long cid) {
        return changes.unpin(cid, true);
    }

    /**
     * A pinned chunk.
     *
     * @param cid the chunk
     * @param count its pins
     */
    public record PinnedChunk(long cid, int count) {}

    /**
     * Lists what is pinned now, to find pins that were forgotten.
     *
     * @return every pinned chunk
     */
    public List<PinnedChunk> list() {
        List<PinnedChunk> pinned = new ArrayList<>();
        pinning.forEach((cid, count) -> pinned.add(new PinnedChunk(cid, count)));
        return pinned;
    }
}
