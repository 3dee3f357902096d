package io.teff.cluster.ship;

import io.teff.cluster.meta.NodeRef;
import java.lang.foreign.MemorySegment;

/** Sends runs to backups. Called by one thread at a time; never waits. */
@FunctionalInterface
public interface Outlet {
    /**
     * Takes a run, unless there is no room now. The message may be kept until {@link #flush}, so that runs of several
     * zones can leave as one message.
     *
     * @param to the backup
     * @param memory has the run with the head of the run, until this method returns
     * @param length its bytes, from offset 0 on
     * @return false if the run was not taken; the run is offered again later
     */
    boolean offer(NodeRef to, MemorySegment memory, int length);

    /**
     * Sends the rest of the taken runs. A run that cannot be sent for long is dropped: by then the run is offered
     * again.
     *
     * @param nowNs the time
     * @return false if a part of the runs is still here; the call is repeated later
     */
    default boolean flush(long nowNs) {
        return true;
    }
}
