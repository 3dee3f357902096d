package io.teff.engine;

import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A call of a {@link ChunkJob}. For the thread of the job, until the job returns.
 *
 * <p><b>Changes.</b> {@link #put} and {@link #remove} note a change of a chunk of the zone. All noted changes are made
 * together when the job has returned, or not at all. The owner makes the changes only if it is still the owner, and if
 * each changed chunk still has the content that the job has read by {@link #get}. If another change was faster, the job
 * runs again. So two jobs that add to one chunk lose no addition.
 *
 * <p><b>Everything else.</b> {@link #store} has all operations of the store. Their changes are made at once, do not
 * belong to the job, and happen again if the job runs again.
 */
public interface JobContext {
    /** {@return a copy of the argument of the call} */
    byte[] argument();

    /** {@return the zone of the job; 0 for a job without a zone in a cluster} */
    int zone();

    /** {@return the chunk that the job was sent to; {@link Cid#NONE} for none} */
    long cid();

    /** {@return 1 in the first run at any node, and more in later runs} */
    int attempt();

    /** {@return whether the caller waits no longer, or the time is over; the result of this run is not used then} */
    boolean isCancelled();

    /**
     * Reads a chunk of the zone, with the changes that this run has noted.
     *
     * @param cid a chunk of the zone
     * @return a copy of the content; null if there is no such chunk
     * @throws io.teff.engine.compute.JobException of the reason REFUSED if the chunk is of another zone
     */
    byte @Nullable [] get(long cid);

    /**
     * Notes a new content of a chunk. The chunk must exist when the changes are made.
     *
     * @param cid a chunk of the zone
     * @param content new content, which is copied
     * @throws io.teff.engine.compute.JobException of the reason REFUSED if the chunk is of another zone
     */
    void put(long cid, byte[] content);

    /**
     * Notes the removal of a chunk.
     *
     * @param cid a chunk of the zone
     * @throws io.teff.engine.compute.JobException of the reason REFUSED if the chunk is of another zone
     */
    void remove(long cid);

    /**
     * Makes the changes noted until now, together or not at all, before the job returns. What this run has read is
     * forgotten.
     *
     * @return false if a changed chunk has another content than this run has read; nothing was changed then, and the
     *     run can read and note anew
     * @throws IllegalStateException in a job whose changes are made once
     */
    boolean commit();

    /**
     * Visits the CIDs of all chunks of the zone, also those of collections; weakly consistent.
     *
     * @param consumer receives each CID on the calling thread
     */
    void forEachCid(LongConsumer consumer);

    /** {@return the whole store, with all services; must not be closed} */
    ChunkStore store();
}
