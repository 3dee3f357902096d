package io.teff.engine.zone;

import io.teff.engine.ChunkStore;
import io.teff.engine.journal.ChunkRestorer;

/**
 * A zone that is being filled. No operation sees it before {@link #publish}, and no journal records it. Ends by one
 * call of {@link #publish} or {@link #discard}, when no other call runs any more.
 *
 * <p>As a {@link ChunkRestorer} it takes chunks from several threads at once, whose calls for one index must not
 * overlap. It accepts CIDs of its zone only, and gives no headroom.
 */
public interface ZoneFill extends ChunkRestorer {
    /** {@return the zone} */
    int zone();

    /**
     * Makes the zone visible with all its chunks. New ids are issued from those that this filler has not named: neither
     * the CID of a chunk, nor a reserved one, nor one that {@link #removed} has named, is issued again.
     *
     * <p>A zone of the same id may have been dropped before. If threads still hold chunks of that one, this method
     * waits for them, up to the store's lock timeout.
     *
     * @return the view of the zone, as of {@link Zones#zone}
     * @throws IllegalStateException if the fill has ended, or the zone exists meanwhile
     * @throws io.teff.engine.error.StoreException of category RETRY if a chunk of the dropped zone stays locked or
     *     pinned; the fill has not ended then
     */
    ChunkStore publish();

    /** Drops what was filled; its memory returns in the background. No effect if the fill has ended. */
    void discard();
}
