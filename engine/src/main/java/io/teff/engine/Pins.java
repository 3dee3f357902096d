package io.teff.engine;

import io.teff.engine.chunk.Changes;
import io.teff.engine.chunk.Pinning;
import java.util.ArrayList;
import java.util.List;

/**
 * Pins: a pinned chunk keeps its address and length until the last unpin; it cannot be removed or resized meanwhile.
 *
 * <p>Pins are meant for passing memory to native code or hardware. Writes through a pin are not ordered with other
 * operations; hold the chunk's lock for that. Pins are counted per chunk, and do not belong to a thread. Thread-safe.
 *
 * <p>A durable store cannot detect whether memory was written through a pin. So it logs a chunk when a pin ends whose
 * segment or address was requested, except for pins of {@link #pinToRead}.
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
     * @throws io.teff.engine.error.StoreException of category RETRY if another thread keeps the chunk locked
     */
    public Pin pin(long cid) {
        return pin(cid, pinning.isReadOnly());
    }

    /**
     * Pins a chunk for reading only.
     *
     * @param cid the chunk
     * @return the pin, to be closed; its segment is read-only
     * @throws java.util.NoSuchElementException if there is no such chunk
     * @throws io.teff.engine.error.StoreException of category RETRY if another thread keeps the chunk locked
     */
    public Pin pinToRead(long cid) {
        return pin(cid, true);
    }

    private Pin pin(long cid, boolean isToRead) {
        return new Pin(handle, changes, cid, pinning.begin(cid), isToRead);
    }

    /**
     * Ends one pin by CID, for pins whose {@link Pin} object is lost.
     *
     * <p>Pins of a chunk are only counted, so the store does not know which of them ends. A durable store therefore
     * logs the chunk as if it was written through the pin, unless the chunk or the store is read-only. To avoid that,
     * end pins of {@link #pinToRead} by {@link Pin#close}.
     *
     * @param cid the chunk
     * @return OK or NOT_HELD
     * @throws io.teff.engine.error.StoreException like {@link Pin#close}; the pin has ended in any case
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
     * Lists the pinned chunks, to find pins that were not closed.
     *
     * @return every pinned chunk
     */
    public List<PinnedChunk> list() {
        List<PinnedChunk> pinned = new ArrayList<>();
        pinning.forEach((cid, count) -> pinned.add(new PinnedChunk(cid, count)));
        return pinned;
    }
}
