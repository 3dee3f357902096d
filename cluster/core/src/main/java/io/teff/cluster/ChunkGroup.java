package io.teff.cluster;

/**
 * Changes of several chunks of one zone, made together if all conditions hold, or not at all: no operation sees a part
 * of the changes, and no failure leaves a part of the changes. Made by {@link ClusterStore#group}; used once, by one
 * thread.
 * <pre>
 *  boolean isPaid = store.group().ifContent(from, ten).put(from, five).ifContent(to, zero).put(to, five).commit();
 * </pre>
 * All chunks must be in one zone: {@link ClusterStore#createNear} creates a chunk in the zone of another chunk. A chunk
 * to be put or removed must exist. The arrays are not copied: the arrays must not be changed before {@link #commit}
 * returns.
 *
 * <p>A chunk has at most one condition and at most one change. A method for a condition or a change throws
 * {@link IllegalArgumentException} if the chunk already has a condition or a change of this kind, if the chunk is of
 * another zone than the first chunk, or if the group gets longer than {@link #CHUNKS_MAX} chunks or {@link #BYTES_MAX}
 * bytes of contents, including expected contents.
 */
public interface ChunkGroup {
    /** Most chunks of a group. */
    int CHUNKS_MAX = 1_024;
    /** Most bytes of contents of a group, including expected contents: 1,000,000. */
    int BYTES_MAX = 1_000_000;

    /**
     * Demands that a chunk exists.
     *
     * @param cid the chunk
     * @return this
     */
    ChunkGroup ifPresent(long cid);

    /**
     * Demands that a chunk does not exist. The group cannot change the chunk.
     *
     * @param cid the chunk
     * @return this
     * @throws IllegalArgumentException if the group changes the chunk
     */
    ChunkGroup ifAbsent(long cid);

    /**
     * Demands that a chunk has a content.
     *
     * @param cid the chunk
     * @param expected whole content of the chunk
     * @return this
     */
    ChunkGroup ifContent(long cid, byte[] expected);

    /**
     * Demands that no later holder of a lock has changed a fence, and moves the fence to a token. A fence is a chunk of
     * 8 bytes with the highest token that has changed something, or with zeros. The owner of the zone compares and
     * replaces the token, so a holder that was stopped cannot change anything after a later holder.
     *
     * @param cid the fence
     * @param token of the holder: {@link io.teff.cluster.service.Hold#token}
     * @return this
     */
    ChunkGroup fence(long cid, long token);

    /**
     * Replaces the content of a chunk.
     *
     * @param cid the chunk
     * @param content new content of the chunk
     * @return this
     */
    ChunkGroup put(long cid, byte[] content);

    /**
     * Removes a chunk.
     *
     * @param cid the chunk
     * @return this
     */
    ChunkGroup remove(long cid);

    /**
     * Makes the changes if all conditions hold. Waits for locks of other threads and clients, as operations on single
     * chunks do. If the calling thread has locked a chunk of the group, the owner demands that the thread still has
     * this lock.
     *
     * @return whether the changes were made; if not, a condition does not hold, and {@link #refusedBy} names the chunk
     *     of the condition
     * @throws IllegalStateException if the calling thread has locked several of the chunks, or the group was used
     * @throws LockLostException if the calling thread has lost its lock
     * @throws io.teff.engine.error.StoreException of category RETRY if a chunk stays locked by another thread or
     *     client, or if a chunk to be changed is read-only; DEGRADED if there is no memory; and as each change of a
     *     {@link ClusterStore}
     * @throws UnknownOutcomeException as each change of a {@link ClusterStore}
     */
    boolean commit();

    /** {@return the first chunk whose condition did not hold, after {@link #commit} has returned false} */
    long refusedBy();
}
