package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.engine.Cid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a full zone whose chunks were removed is used again, instead of a new number of a zone, and issues CIDs that
 * were never issued. Method: two peers in this JVM with zones of 8 MiB, which are filled, emptied and filled.
 */
class ZoneVacancyTest {
    private static final int CHUNK_BYTES = 1 << 20;
    private static final int CHUNKS = 9;
    private static final int ZONES = 12;

    @TempDir
    private Path folder;

    private static ZoneRow row(PeerCluster cluster, int zone) {
        return cluster.rows().stream().filter(row -> row.zone() == zone).findFirst().orElseThrow();
    }

    private static List<Long> fill(PeerCluster cluster, int zone) {
        List<Long> cids = new ArrayList<>();
        for (int i = 0; i < CHUNKS; i++) {
            cids.add(cluster.create(zone, new byte[CHUNK_BYTES]));
        }
        PeerCluster.await(() -> row(cluster, zone).isFull(), () -> "zone " + zone + " is not full");
        return cids;
    }

    @Test
    void fullZone_thatHasLostItsChunks_isUsedAgain_withNewCids() throws IOException {
        try (PeerCluster cluster = new PeerCluster("vacancy", folder, 1)) {
            cluster.start(1);
            cluster.start(2);
            cluster.awaitServed(ZONES);
            int first = cluster.rows().getFirst().zone();
            int owner = cluster.numberOf(cluster.owner(first));
            List<Long> cids = fill(cluster, first);
            PeerCluster.await(() -> cluster.rows().size() > ZONES, () -> "no zone in place of the full zone");
            cids.forEach(cluster::remove);
            int zones = cluster.rows().size();
            int epoch = row(cluster, first).epoch();
            int second = cluster.rows().stream().filter(row -> row.state() == ZoneState.OPEN
                && row.isOwnedBy(cluster.peer(owner).node())).findFirst().orElseThrow().zone();
            fill(cluster, second);
            PeerCluster.await(() -> row(cluster, first).state() == ZoneState.OPEN, () -> "zone " + first
                + " is not open: " + cluster.rows());
            assertEquals(zones, cluster.rows().size(), "no number of a zone was given");
            assertEquals(epoch, row(cluster, first).epoch(), "the owner goes on");
            long next = cluster.create(first, new byte[64]);
            assertTrue(cids.stream().allMatch(cid -> Cid.lid(cid) < Cid.lid(next)), Cid.toString(next));
        }
    }
}
