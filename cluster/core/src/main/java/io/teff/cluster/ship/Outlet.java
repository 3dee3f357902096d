package io.teff.cluster.ship;

import io.teff.cluster.meta.NodeRef;
import java.lang.foreign.MemorySegment;

/** Sends messages to backups. Never waits. */
@FunctionalInterface
public interface Outlet {
    /**
     * Sends a message with a run, unless there is no room now.
     *
     * @param to the backup
     * @param zone the zone; messages of a zone to a backup arrive in order
     * @param memory has the message, until this returns
     * @param length its bytes, from offset 0 on
     * @return false if it was not sent; it is offered again later
     */
    boolean offer(NodeRef to, int zone, MemorySegment memory, int length);
}
