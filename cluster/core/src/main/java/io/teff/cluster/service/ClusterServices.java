package io.teff.cluster.service;

/**
 * Services of a cluster that coordinate processes. Thread-safe; as many objects of one name as wanted may be made, and
 * each costs nothing until its first call.
 *
 * <p><b>Session.</b> The first change opens a session with a lease, {@link #leaseNs()}. A thread of the client renews
 * the lease. If the superpeers hear nothing of the client for the lease, its session ends: names bound to the session
 * are removed, and locks, places and permits are freed. The client finds out by its own clock, before the superpeers
 * free anything: {@link Hold#isHeld} is false, and {@link Hold#check} throws. The next change opens another session.
 *
 * <p><b>Calls.</b> Each call ends within the deadline of the client. It throws a
 * {@link io.teff.engine.error.StoreException} of category RETRY if nothing was done, of category DEGRADED if a limit is
 * reached, and an {@code UnknownOutcomeException} if an attempt may have been done. A change takes effect once, however
 * often the client sends it again.
 *
 * <p><b>Names</b> have 1 to 1,024 bytes of UTF-8. Names with values, counters and temporary names share one space of
 * names. Locks, elections, semaphores and barriers share another.
 */
public interface ClusterServices {

    /** {@return versioned names with values} */
    ClusterNames names();

    /**
     * {@return a lock}
     *
     * @param name of the lock
     * @throws IllegalArgumentException if the text is no name
     */
    NamedLock lock(String name);

    /**
     * {@return an election}
     *
     * @param name of the election
     * @throws IllegalArgumentException if the text is no name
     */
    Election election(String name);

    /**
     * {@return a semaphore}
     *
     * @param name of the semaphore
     * @param permits of the semaphore, 1 to 1,000,000; all users must name the same number
     * @throws IllegalArgumentException if the text is no name, or the number is out of range
     */
    NamedSemaphore semaphore(String name, int permits);

    /**
     * {@return a barrier}
     *
     * @param name of the barrier
     * @param parties that meet at the barrier, 1 to 1,024; all users must name the same number
     * @throws IllegalArgumentException if the text is no name, or the number is out of range
     */
    Barrier barrier(String name, int parties);

    /**
     * {@return a counter}
     *
     * @param name of the counter
     * @throws IllegalArgumentException if the text is no name
     */
    SharedCounter counter(String name);

    /**
     * {@return a source of ids, of which no two are equal in the cluster}
     *
     * @param name of the counter that the ids are taken from
     * @param block ids that are taken at once, 1 to 2^31 - 1; ids that are left of a block at the end are never given
     * @throws IllegalArgumentException if the text is no name, or the number is out of range
     */
    IdSource ids(String name, int block);

    /** {@return the lease of the session in nanoseconds: {@code ClientConfig.lockLeaseNs}, at least 2 s} */
    long leaseNs();
}
