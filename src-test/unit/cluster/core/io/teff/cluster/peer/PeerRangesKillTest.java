package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.MapRanges.MapRange;
import io.teff.cluster.client.SplitSteps;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkSortedLongMap;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: the owner of a part, or of its target, is killed between any two steps of a split, and the map loses no entry
 * and shows no entry twice.
 */
@FullTier("kills of peers with real messages; the simulation with ranges kills owners in the gate")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerRangesKillTest {
    private static final int PEERS = 4;
    private static final int ENTRIES = 1_600;
    private static final long HALF = ENTRIES / 2;

    @TempDir
    private Path folder;

    private PeerCluster cluster;
    private ClusterStore store;

    @BeforeEach
    void start() throws IOException {
        cluster = new PeerCluster("range-kills-" + System.nanoTime(), folder, 2);
        for (int i = 0; i < PEERS; i++) {
            cluster.start(i);
        }
        cluster.awaitServed(PEERS * 6);
        store = cluster.connect();
    }

    @AfterEach
    void close() throws IOException {
        store.close();
        cluster.close();
    }

    private void kill(int zone) {
        try {
            cluster.killAttested(cluster.numberOf(cluster.owner(zone)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cluster.owner(zone);
    }

    /** Each seed kills other owners at other steps; the third slice of the split follows the kills. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void split_whoseOwnersAreKilled_losesNoEntry(int variant) {
        boolean isTarget = (variant & 1) != 0;
        boolean isBetween = (variant & 2) != 0;
        ChunkSortedLongMap<Long> map = store.sortedLongMap("killed", Codecs.LONG);
        NavigableMap<Long, Long> model = new TreeMap<>();
        LongStream.range(0, ENTRIES).forEach(key -> model.put(key, key));
        map.putAll(model);
        SplitSteps steps = new SplitSteps(map, 0);
        int zone = isTarget ? steps.targetZone() : steps.zone();
        for (int i = 0; i < 2; i++) {
            assertTrue(steps.isMoved(() -> {
                if (isBetween) {
                    kill(zone);
                }
            }));
            if (!isBetween) {
                kill(zone);
            }
            long changed = ENTRIES - 1 - i * 300L;
            model.put(changed, -1L);
            map.put(changed, -1L);
            assertEquals(model, new TreeMap<>(map));
            assertEquals(ENTRIES, map.tailMap(0L, true).size());
        }
        while (steps.isMoved(() -> { })) {
            model.remove(model.lastKey());
            map.pollLastEntry();
        }
        steps.end();
        assertEquals(model, new TreeMap<>(map));
        assertEquals(model.size(), map.longSize());
        assertEquals(model.size(), store.ranges(map).all().stream().mapToLong(MapRange::entries).sum());
        assertEquals(HALF, store.ranges(map).all().getFirst().entries());
        map.audit();
    }
}
