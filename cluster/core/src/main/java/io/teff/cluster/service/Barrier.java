package io.teff.cluster.service;

import java.util.List;
import java.util.Optional;

/**
 * A barrier by name: processes wait until there are as many as the barrier has parties, then all go on with the values
 * of all. Afterwards the barrier is closed again for the next parties. A process that ends while it waits does not
 * count.
 */
public interface Barrier {

    /**
     * Waits at the barrier.
     *
     * @param value that all parties receive; at most 1,024 bytes
     * @param timeoutNs longest wait in nanoseconds
     * @return the values of all parties in the order of their arrival, the same for each party; empty if the others
     *     have not come in time: then this party does not count
     * @throws IllegalArgumentException if the value is too long
     * @throws HoldLostException if the session of this process has ended while it waited
     */
    Optional<List<byte[]>> await(byte[] value, long timeoutNs);
}
