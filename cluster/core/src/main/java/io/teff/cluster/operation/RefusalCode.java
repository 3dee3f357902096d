package io.teff.cluster.operation;

import io.teff.engine.error.StoreException;

/** Tells how an operation ended that the peer's store has refused. */
final class RefusalCode {
    private RefusalCode() {}

    /**
     * Returns the code of the answer. A peer stops to serve the zone before store and ring of the peer end. A failure
     * of such a peer is no property of the operation: the client asks the next owner, whose slots know whether the
     * change was made.
     *
     * @param refusal the exception of the store
     * @param host what the operation runs at
     * @param zone the zone of the operation
     * @return BUSY, DEPOSED or REFUSED
     */
    static int of(StoreException refusal, ZoneHost host, int zone) {
        if (PeerBusy.is(refusal)) {
            return OperationFormat.BUSY;
        }
        final boolean isOfPeer = refusal.category() == StoreException.Category.FATAL && host.serving(zone) == null;
        return isOfPeer ? OperationFormat.DEPOSED : OperationFormat.REFUSED;
    }
}
