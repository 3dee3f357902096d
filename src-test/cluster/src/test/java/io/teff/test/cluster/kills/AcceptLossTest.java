package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.engine.Cid;
import io.teff.engine.error.StoreException;
import io.teff.test.kit.Seed;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a person who accepts a loss chooses between an older copy and the loss of a zone, and the zone continues as the
 * command has said. Method: a cluster of processes with three peers. A backup is killed, the zones are changed, then
 * everything is killed, and the other two peers lose their disks: of the changed zones only the older copies of the
 * first backup are left.
 */
@Tag("processes")
@FullTier("a cluster of processes, and a second start; OlderFolderTest has older copies in one process")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class AcceptLossTest {
    private static final int ZONES = 3;
    private static final int CHUNKS_MAX = 10_000;
    private static final int NOWHERE = 30_000;
    private static final String OLDER = "peer-3";

    @TempDir
    private Path folder;
    /** A chunk of each zone. */
    private final Map<Integer, Long> chunks = new LinkedHashMap<>();

    @Test
    void olderCopy_isContinued_orTheZoneIsLost() throws IOException, InterruptedException {
        try (LocalCluster cluster = new LocalCluster(folder.resolve("cluster"), null, 1, 3)) {
            cluster.awaitBacked();
            int nid = cluster.nid(OLDER);
            makeOlder(cluster, nid);
            cluster.killEverything(Seed.random(Seed.first()));
            cluster.loseDisk("peer-1");
            cluster.loseDisk("peer-2");
            String said = cluster.run(LostBackups.MISSING, "up");
            assertTrue(said.contains("zones wait or are lost"), said);
            cluster.awaitRows("zones of " + chunks + " wait", rows -> rows.stream()
                .filter(row -> chunks.containsKey(row.zone())).allMatch(row -> row.state() == ZoneState.WAITING));
            accept(cluster, nid);
        }
    }

    /** Chunks have the number 1 in the copies of the backup, and 2 in all other copies. */
    private void makeOlder(LocalCluster cluster, int nid) {
        Set<Integer> zones = cluster.rows().stream().filter(row -> hasBackup(row, nid)).map(ZoneRow::zone)
            .collect(Collectors.toSet());
        try (ClusterStore store = cluster.connect()) {
            for (int i = 0; i < CHUNKS_MAX && chunks.size() < ZONES; i++) {
                long cid = store.create(Long.BYTES);
                if (zones.contains(Cid.nid(cid)) && chunks.putIfAbsent(Cid.nid(cid), cid) == null) {
                    store.fields().putLong(cid, 0, 1);
                }
            }
            assertEquals(ZONES, chunks.size(), () -> "the peer has backups of " + zones);
            NodeRef dead = cluster.kill(OLDER);
            cluster.awaitServed(dead);
            chunks.values().forEach(cid -> store.fields().putLong(cid, 0, 2));
            cluster.awaitRows("the copies of " + dead + " are older copies", rows -> rows.stream()
                .filter(row -> chunks.containsKey(row.zone())).allMatch(row -> row.state().isServed()
                    && row.outdated().stream().anyMatch(copy -> copy.node().nid() == nid)));
        }
    }

    private static boolean hasBackup(ZoneRow row, int nid) {
        return row.owner() != null && row.owner().nid() != nid
            && row.backups().stream().anyMatch(backup -> backup.node().nid() == nid);
    }

    private void accept(LocalCluster cluster, int nid) {
        Iterator<Integer> zones = chunks.keySet().iterator();
        int chosen = zones.next();
        int newest = zones.next();
        int lost = zones.next();
        String refused = cluster.runHere(1, "accept-loss", text(chosen), "--copy-of", text(NOWHERE));
        assertTrue(refused.contains("has no older copy at node " + NOWHERE) && refused.contains("nothing was given up"),
            refused);
        String continued = "it goes on with the older copy of peer-3 (node " + nid + "/";
        String said = cluster.runHere(0, "accept-loss", text(chosen), "--copy-of", text(nid));
        assertTrue(said.contains(continued) && said.contains(", up to change "), said);
        assertTrue(cluster.runHere(0, "accept-loss", text(newest)).contains(continued), "the newest is chosen");
        String gone = cluster.runHere(0, "accept-loss", text(lost), "--lose");
        assertTrue(gone.contains("the zone is lost, with all its chunks"), gone);
        cluster.acceptLoss(Set.of(lost));
        cluster.awaitRows("zones " + chosen + " and " + newest + " are served", rows -> rows.stream()
            .filter(row -> row.zone() == chosen || row.zone() == newest).allMatch(row -> row.state().isServed()));
        try (ClusterStore store = cluster.connect()) {
            assertEquals(1, store.fields().getLong(chunks.get(chosen), 0, -1), "of the older copy");
            assertEquals(1, store.fields().getLong(chunks.get(newest), 0, -1), "of the older copy");
            store.fields().putLong(chunks.get(chosen), 0, 3);
            assertEquals(3, store.fields().getLong(chunks.get(chosen), 0, -1));
            StoreException failure = assertThrows(StoreException.class,
                () -> store.fields().getLong(chunks.get(lost), 0, -1));
            assertTrue(String.valueOf(failure.getMessage()).contains("zone " + lost + " is lost"), failure::toString);
        }
    }

    private static String text(int number) {
        return String.valueOf(number);
    }
}
