package io.teff.engine.zone;

import io.teff.engine.ChunkStore;
import io.teff.engine.journal.ChunkRestorer;

/**
 * A zone that is being filled. No operation sees it before {@link #publish}, and no journal records it. Ends by one
 * call of {@link #publish} or {@link #discard}, when no other call runs any more.
 *
 * <p>As a {@link ChunkRestorer} this object takes chunks from several threads at once. Calls for the same index must
 * not overlap. Only CIDs of the zone are accepted, and there is no headroom.
 */
public interface ZoneFill extends ChunkRestorer {
    /** {@return the zone} */
    int zone();

    /**
     * Makes the zone visible with all its chunks. New ids are ids not named by this filler: neither the CID of a chunk,
     * nor a reserved CID, nor a CID named by {@link #removed} is issued again.
     *
     * <p>A zone of the same id may have been dropped before. If threads still hold chunks of the dropped zone, this
     * method waits for these threads, up to the store's lock timeout.
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
