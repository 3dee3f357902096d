package io.teff.cluster;

/**
 * Changes of several chunks of one zone, which are made together if conditions hold, or not at all: no operation sees a
 * part of them, and no failure leaves one. Made by {@link ClusterStore#group}; for one thread, and used once.
 * <pre>
 *  boolean isPaid = store.group().ifContent(from, ten).put(from, five).ifContent(to, zero).put(to, five).commit();
 * </pre>
 * All chunks must be in one zone: {@link ClusterStore#createNear} creates them so. A chunk that is put or removed must
 * exist. The arrays are not copied: they must not be changed before {@link #commit} returns.
 *
 * <p>A chunk has one condition and one change at most. Methods that add one throw {@link IllegalArgumentException} if
 * the chunk has one already, or is of another zone than the first one, or the group gets longer than
 * {@link #CHUNKS_MAX} chunks or {@link #BYTES_MAX} bytes of contents, expected ones included.
 */
public interface ChunkGroup {
    /** Most chunks of a group. */
    int CHUNKS_MAX = 1_024;
    /** Most bytes of contents of a group, expected ones included: 1,000,000. */
    int BYTES_MAX = 1_000_000;

    /**
     * Demands that a chunk exists.
     *
     * @param cid the chunk
     * @return this
     */
    ChunkGroup ifPresent(long cid);

    /**
     * Demands that a chunk does not exist. The group cannot change it.
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
     * @param expected its whole content
     * @return this
     */
    ChunkGroup ifContent(long cid, byte[] expected);

    /**
     * Replaces the content of a chunk.
     *
     * @param cid the chunk
     * @param content its new content
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
     * Makes the changes if all conditions hold. Waits for locks of others as operations on single chunks do. If the
     * calling thread has locked one of the chunks, the owner demands that it still has this lock.
     *
     * @return whether the changes were made; if not, a condition does not hold, and {@link #refusedBy} names its chunk
     * @throws IllegalStateException if the calling thread has locked several of the chunks, or the group was used
     * @throws LockLostException if the calling thread has lost its lock
     * @throws io.teff.engine.error.StoreException of category RETRY if others keep a chunk locked, or a chunk that is
     *     changed is read-only; DEGRADED if there is no memory; and as each change of a {@link ClusterStore}
     * @throws UnknownOutcomeException as each change of a {@link ClusterStore}
     */
    boolean commit();

    /** {@return the first chunk whose condition did not hold, after {@link #commit} has returned false} */
    long refusedBy();
}
