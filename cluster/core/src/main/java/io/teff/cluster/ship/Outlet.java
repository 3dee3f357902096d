package io.teff.cluster.ship;

import io.teff.cluster.meta.NodeRef;
import java.lang.foreign.MemorySegment;

/** Sends runs to backups. Called by one thread at a time; never waits. */
@FunctionalInterface
public interface Outlet {
    /**
     * Takes a run, unless there is no room now. It may be kept until {@link #flush}, so that runs of several zones can
     * leave as one message.
     *
     * @param to the backup
     * @param memory has the run with its head, until this returns
     * @param length its bytes, from offset 0 on
     * @return false if it was not taken; it is offered again later
     */
    boolean offer(NodeRef to, MemorySegment memory, int length);

    /**
     * Sends what was taken and is still here. What cannot be sent for long is dropped: by then it is offered again.
     *
     * @param nowNs the time
     * @return false if a part of it is still here; the call is repeated later
     */
    default boolean flush(long nowNs) {
        return true;
    }
}
