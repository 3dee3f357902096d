package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.MapRanges;
import io.teff.cluster.MapRanges.MapRange;
import io.teff.cluster.admin.ClusterBackups;
import io.teff.cluster.admin.ClusterBackups.Progress;
import io.teff.cluster.client.SplitHold;
import io.teff.cluster.client.SplitSteps;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkSortedLongMap;
import io.teff.engine.os.Clock;
import io.teff.test.kit.Seed;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a backup has each entry of a sorted map in ranges once, whatever splits are begun between its zones. A cluster
 * that is restored from the backup has the entries byte for byte.
 */
@FullTier("two clusters for each test, and a backup; PeerRangesTest has the hold of splits in the gate, and "
    + "PartBoundsTest the choice of zones that are read again")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerRangesBackupTest {
    private static final int PEERS = 2;
    private static final int ZONES = 4;
    private static final int ENTRIES = 3_000;
    private static final int VALUE_MAX = 200;
    private static final String NAME = "kept";
    private static final ClusterBackups BACKUPS = ClusterBackups.load();
    private static final Consumer<Progress> SILENT = _ -> { };

    @TempDir
    private Path folder;

    private final long seed = Seed.first();
    private final String reproduce = Seed.reproduce(PeerRangesBackupTest.class, seed);
    private final SplittableRandom random = new SplittableRandom(seed);
    private final Map<Long, String> model = new TreeMap<>();
    private PeerCluster cluster;
    private ClusterStore store;
    private ChunkSortedLongMap<byte[]> map;

    @BeforeEach
    void start() throws IOException {
        cluster = cluster("source");
        store = cluster.connect();
        map = store.sortedLongMap(NAME, Codecs.BYTES);
        for (long key = 0; key < ENTRIES; key++) {
            byte[] value = new byte[random.nextInt(VALUE_MAX)];
            random.nextBytes(value);
            map.set(key, value);
            model.put(key, HexFormat.of().formatHex(value));
        }
        assertTrue(store.ranges(map).splitAt(ENTRIES / 2L));
    }

    @AfterEach
    void close() throws IOException {
        store.close();
        cluster.close();
    }

    private PeerCluster cluster(String name) throws IOException {
        PeerCluster made = new PeerCluster("ranges-backup-" + name + '-' + System.nanoTime(), folder.resolve(name), 1);
        for (int i = 0; i < PEERS; i++) {
            made.start(i, Peer.start(made.config(i).withZones(ZONES, 1, 100_000_000L)));
        }
        made.awaitServed(PEERS * ZONES);
        return made;
    }

    private boolean isSplit() {
        return store.ranges(map).split(random.nextLong(ENTRIES));
    }

    /** Ends the hold of all parts, as a new owner of each part does. */
    private void loseHold() {
        try (SplitHold hold = new SplitHold(store, Clock.SYSTEM)) {
            hold.hold();
        } catch (IOException e) {
            throw new AssertionError(reproduce, e);
        }
    }

    /** Restores a backup into another cluster, whose map has the entries of the model, and goes on splitting. */
    private void assertRestored(Path backup) throws IOException {
        assertEquals(List.of(), BACKUPS.verify(backup, SILENT));
        try (PeerCluster other = cluster("target"); ClusterStore restored = other.connect()) {
            BACKUPS.restore(other.client(), backup, false, SILENT);
            ChunkSortedLongMap<byte[]> found = restored.sortedLongMap(NAME, Codecs.BYTES);
            MapRanges<Long> ranges = restored.ranges(found);
            assertEquals(model.size(), ranges.all().stream().mapToLong(MapRange::entries).sum(), reproduce);
            assertModel(found);
            found.audit();
            for (int i = 0; i < ZONES; i++) {
                ranges.split(random.nextLong(ENTRIES));
            }
            assertModel(found);
            found.audit();
        }
    }

    private void assertModel(ChunkSortedLongMap<byte[]> found) {
        Map<Long, String> content = new TreeMap<>();
        List<Long> shown = new ArrayList<>();
        found.forEach((key, value) -> {
            content.put(key, HexFormat.of().formatHex(value));
            shown.add(key);
        });
        assertEquals(model, content, reproduce);
        assertEquals(List.copyOf(model.keySet()), shown, reproduce);
    }

    @Test
    void backup_holdsSplits_untilItEnds() throws IOException {
        SplitSteps steps = new SplitSteps(map, 0);
        assertTrue(steps.isMoved(() -> { }));
        assertThrows(IllegalStateException.class, () -> steps.isMoved(() -> {
            throw new IllegalStateException("the client ends with a slice on its way");
        }));
        AtomicInteger splits = new AtomicInteger();
        AtomicInteger zones = new AtomicInteger();
        Path backup = folder.resolve("held");
        BACKUPS.take(cluster.client(), backup, null, _ -> {
            zones.incrementAndGet();
            splits.addAndGet(isSplit() ? 1 : 0);
        });
        assertEquals(PEERS * ZONES, zones.get(), "each zone was read once");
        assertEquals(0, splits.get(), reproduce);
        assertTrue(isSplit(), "the hold has ended with the backup");
        assertRestored(backup);
    }

    @Test
    void backup_thatLosesItsHold_readsZonesAgain() throws IOException {
        AtomicInteger splits = new AtomicInteger();
        AtomicInteger zones = new AtomicInteger();
        Path backup = folder.resolve("lost");
        BACKUPS.take(cluster.client(), backup, null, _ -> {
            if (zones.incrementAndGet() < PEERS * ZONES) {
                loseHold();
                splits.addAndGet(isSplit() ? 1 : 0);
            }
        });
        assertTrue(splits.get() > 2, reproduce);
        assertTrue(zones.get() > PEERS * ZONES, reproduce);
        assertRestored(backup);
    }

    @Test
    void backup_thatWasStopped_readsZonesAgain_whosePartsWereSplitSince() throws IOException {
        Path backup = folder.resolve("stopped");
        assertThrows(IllegalStateException.class, () -> BACKUPS.take(cluster.client(), backup, null, progress -> {
            if (progress.done() == PEERS * ZONES / 2) {
                throw new IllegalStateException("stopped");
            }
        }));
        int splits = 0;
        for (int i = 0; i < PEERS * ZONES; i++) {
            splits += isSplit() ? 1 : 0;
        }
        assertFalse(splits < PEERS, reproduce);
        BACKUPS.take(cluster.client(), backup, null, SILENT);
        assertRestored(backup);
    }
}
