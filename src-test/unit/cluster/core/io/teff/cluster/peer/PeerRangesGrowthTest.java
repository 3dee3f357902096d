package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.MapRanges.MapRange;
import io.teff.cluster.client.SplitSteps;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkSortedLongMap;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: clients without a view with ranges split a part that fills its zone, and continue each split whose client has
 * ended, whatever the last request of the client was.
 */
@FullTier("thousands of changes, with waits for disks; PeerRangesTest goes on with a split, and splits a range that "
    + "has grown, in the gate")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerRangesGrowthTest {
    private static final int PEERS = 2;
    private static final int ZONES = 4;
    private static final long MEMORY_BYTES = 16 << 20;
    private static final int VALUE_BYTES = 1_000;
    private static final int FILLED = 1_200;
    private static final int ENTRIES = 600;
    private static final int REQUESTS_MAX = 40;
    private static final int CHANGES_MAX = 4_000;
    private static final long LIMIT_S = 200;

    @TempDir
    private static Path folder;

    private static PeerCluster cluster;
    private static ClusterStore store;
    private static ClusterStore other;

    @BeforeAll
    static void start() throws IOException {
        cluster = new PeerCluster("ranges-growth-" + System.nanoTime(), folder, 1);
        for (int i = 0; i < PEERS; i++) {
            cluster.start(i, Peer.start(cluster.config(i).withBytes(MEMORY_BYTES, 8 << 20, 16 << 20)
                .withZones(ZONES, 1, 100_000_000L)));
        }
        cluster.awaitServed(PEERS * ZONES);
        store = cluster.connect();
        other = cluster.connect();
    }

    @AfterAll
    static void close() throws IOException {
        store.close();
        other.close();
        cluster.close();
    }

    private static List<MapRange<Long>> ranges(ChunkSortedLongMap<?> map) {
        return store.ranges(map).all();
    }

    /** The map has more than twice the bytes of a zone. */
    @Test
    void changes_splitAPart_thatFillsItsZone() {
        ChunkSortedLongMap<byte[]> map = store.sortedLongMap("filled", Codecs.BYTES);
        LongStream.range(0, FILLED).forEach(key -> map.set(key, new byte[VALUE_BYTES]));
        long zoneBytes = cluster.config(0).withBytes(MEMORY_BYTES, 8 << 20, 16 << 20).zoneBytesMax();
        long[] next = {0};
        Threads.await(LIMIT_S, () -> "parts " + ranges(map), () -> {
            for (int i = 0; i < FILLED; i++) {
                map.set(next[0]++ % FILLED, new byte[VALUE_BYTES]);
            }
            return ranges(map).stream().allMatch(range -> !range.isSplitting() && range.memoryBytes() < zoneBytes);
        });
        List<MapRange<Long>> ranges = ranges(map);
        assertTrue(ranges.size() > 2, ranges::toString);
        assertEquals(FILLED, ranges.stream().mapToLong(MapRange::entries).sum());
        assertEquals(LongStream.range(0, FILLED).boxed().toList(), new ArrayList<>(map.keySet()));
        map.audit();
    }

    /** The client that splits is killed behind each of its requests; another client without a view goes on. */
    @Test
    void split_whoseClientIsKilledBehindARequest_isContinued() {
        int stops = 0;
        for (boolean isStopped = true; isStopped; stops++) {
            assertTrue(stops < REQUESTS_MAX);
            ChunkSortedLongMap<Long> map = store.sortedLongMap("stopped " + stops, Codecs.LONG);
            NavigableMap<Long, Long> model = new TreeMap<>();
            LongStream.range(0, ENTRIES).forEach(key -> model.put(key, key));
            map.putAll(model);
            isStopped = SplitSteps.stopped(map, 0, stops);
            ChunkSortedLongMap<Long> going = other.sortedLongMap("stopped " + stops, Codecs.LONG);
            assertEquals(model, new TreeMap<>(going), "behind request " + stops);
            assertEquals(ENTRIES, going.longSize());
            change(going, map, model);
            assertEquals(model, new TreeMap<>(map), "behind request " + stops);
            assertEquals(ENTRIES, map.longSize());
            List<MapRange<Long>> ranges = ranges(map);
            assertFalse(ranges.getFirst().isSplitting(), "behind request " + stops + ": " + ranges);
            assertTrue(ranges.size() == 1 || ranges.getFirst().entries() == ENTRIES / 2, ranges::toString);
            assertTrue(ranges.size() == 2 || store.ranges(map).split(0L), "the next split begins anew");
            assertEquals(model, new TreeMap<>(going));
            assertEquals(List.of(ENTRIES / 2L, ENTRIES / 2L), ranges(map).stream().map(MapRange::entries).toList());
            map.audit();
        }
        assertTrue(stops > 8, stops + " stops");
    }

    /** Changes entries of the lower half, which stays, until no split of the part is under way. */
    private static void change(ChunkSortedLongMap<Long> map, ChunkSortedLongMap<Long> shown, Map<Long, Long> model) {
        for (long i = 0; i < CHANGES_MAX; i++) {
            long key = i % (ENTRIES / 4);
            model.merge(key, 1L, Long::sum);
            map.merge(key, 1L, Long::sum);
            if (i % ENTRIES == 0 && i > 0 && !ranges(shown).getFirst().isSplitting()) {
                return;
            }
        }
    }
}
