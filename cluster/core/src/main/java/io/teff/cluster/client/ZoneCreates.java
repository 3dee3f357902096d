package io.teff.cluster.client;

import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.operation.RequestBytes;
import io.teff.engine.Cid;
import io.teff.engine.error.Status;
import java.util.function.LongFunction;

/** Runs single operations in a zone with room: creates and reservations. Thread-safe. */
final class ZoneCreates {
    private final ClusterClient client;
    private final ZonePicker zones;

    ZoneCreates(ClusterClient client, ZonePicker zones) {
        this.client = client;
        this.zones = zones;
    }

    /**
     * Sends an operation to zones until a zone has room: first to the zone of a neighbour, if given, or else to the
     * thread's next zones with room at the owner.
     *
     * @param type the operation
     * @param neighbour CID of the neighbour, or NONE
     * @param isLong whether the request is long
     * @param request writes the request for the zone named by the CID
     * @return the result of the operation; FULL if the owners of all open zones are full
     */
    long run(OperationType type, long neighbour, boolean isLong, LongFunction<RequestBytes> request) {
        final FullOwners full = new FullOwners();
        int zone = neighbour == Cid.NONE ? ZonePicker.NONE : Cid.nid(neighbour);
        try (Call call = client.call(type.name())) {
            client.checkOpen();
            while (true) {
                if (zone < 0 || client.tables().owner(zone) == null) {
                    zone = zones.next(full);
                }
                if (zone == ZonePicker.ALL_FULL) {
                    client.checkOpen();
                    return Status.FULL;
                }
                if (zone == ZonePicker.NONE) {
                    call.failed(client.tables().noneOpen(), null);
                    call.pause();
                    continue;
                }
                final NodeRef owner = client.tables().owner(zone);
                final long place = Cid.of(zone, 0);
                final long cid = client.send(call, type, place, request.apply(place), isLong).result();
                if (cid != Status.FULL) {
                    return cid;
                }
                if (owner != null) {
                    full.add(owner.nid());
                }
                zone = ZonePicker.NONE;
            }
        }
    }
}
