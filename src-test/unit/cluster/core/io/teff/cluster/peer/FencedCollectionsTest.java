package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.service.Hold;
import io.teff.cluster.service.HoldLostException;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSet;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.collect.ValueChange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Collections behind a fence: a holder that was stopped changes nothing after a later holder has come. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FencedCollectionsTest {
    private static final int PEERS = 3;
    private static final int ZONES = 2;
    private static final int MANY = 300;

    @TempDir
    private Path folder;

    private PeerCluster cluster;
    private ClusterStore store;

    @BeforeEach
    void start() throws IOException {
        cluster = new PeerCluster("fenced-collections-" + System.nanoTime(), folder, 1);
        for (int i = 0; i < PEERS; i++) {
            cluster.start(i, Peer.start(cluster.config(i).withZones(ZONES, 1, 100_000_000L)));
        }
        cluster.awaitServed(PEERS * ZONES);
        store = cluster.connect();
    }

    @AfterEach
    void close() throws IOException {
        store.close();
        cluster.close();
    }

    /** The collections as one holder has opened them. */
    private record Opened(ChunkMap<String, Long> map, ChunkSet<String> set, ChunkQueue<String> queue,
                          ChunkList<String> list, ChunkSortedMap<Long, String> sorted) {
        static Opened by(ClusterStore store) {
            return new Opened(store.map("map", String.class, Long.class), store.set("set", Codecs.STRING),
                store.queue("queue", Codecs.STRING), store.list("list", Codecs.STRING),
                store.sortedMap("sorted", Codecs.LONG, Codecs.STRING));
        }

        void change(String what) {
            map.put(what, 1L);
            map.apply(what, ValueChange.add(1L));
            map.putAll(Map.of(what + 1, 1L, what + 2, 2L));
            set.add(what);
            queue.add(what);
            list.add(what);
            sorted.put((long) what.length(), what);
        }
    }

    private static Map<String, Long> many() {
        Map<String, Long> many = new HashMap<>();
        IntStream.range(0, MANY).forEach(i -> many.put("many " + i, (long) i));
        return many;
    }

    private static void assertRefused(Opened stopped) {
        assertThrows(HoldLostException.class, () -> stopped.map().put("a", 9L));
        assertThrows(HoldLostException.class, () -> stopped.map().remove("b"));
        assertThrows(HoldLostException.class, () -> stopped.map().apply("b", ValueChange.add(5L)));
        assertThrows(HoldLostException.class, () -> stopped.map().putAll(many()));
        assertThrows(HoldLostException.class, stopped.map()::clear);
        assertThrows(HoldLostException.class, () -> stopped.set().addAll(List.of("x", "y")));
        assertThrows(HoldLostException.class, () -> stopped.queue().add("x"));
        assertThrows(HoldLostException.class, stopped.queue()::poll);
        assertThrows(HoldLostException.class, () -> stopped.list().set(0, "x"));
        assertThrows(HoldLostException.class, () -> stopped.sorted().merge(1L, "x", String::concat));
        assertEquals(2L, stopped.map().get("a"));
    }

    private static void assertHas(Opened opened, String... changes) {
        Map<String, Long> wanted = new HashMap<>();
        for (String each : changes) {
            wanted.putAll(Map.of(each, 2L, each + 1, 1L, each + 2, 2L));
        }
        assertEquals(wanted, Map.copyOf(opened.map()));
        assertEquals(Set.of(changes), Set.copyOf(opened.set()));
        assertEquals(List.of(changes), List.copyOf(opened.queue()));
        assertEquals(List.of(changes), List.copyOf(opened.list()));
        assertEquals(changes[changes.length - 1], opened.sorted().get(1L));
    }

    /** The fence is in the record of a zone, so the next owner has the fence, too. */
    @Test
    void changesOfAStoppedHolder_areRefused_alsoByTheNextOwner() throws IOException {
        try (ClusterStore other = cluster.connect()) {
            Hold first = store.services().lock("writer").acquire(0).orElseThrow();
            Opened stopped = Opened.by(store.withFence(first.token()));
            stopped.change("a");
            first.check();                                      // and is stopped here, while its session ends
            first.close();
            Hold second = other.services().lock("writer").acquire(0).orElseThrow();
            Opened later = Opened.by(other.withFence(second.token()));
            assertRefused(stopped);                             // although the later holder has changed nothing yet
            later.change("b");
            assertRefused(stopped);
            assertHas(later, "a", "b");
            assertThrows(HoldLostException.class, () -> Opened.by(store.withFence(first.token())));
            cluster.killAttested(cluster.numberOf(cluster.owner(1)));
            cluster.owner(1);
            assertRefused(stopped);
            later.change("c");
            assertHas(later, "a", "b", "c");
            second.close();
        }
    }

    /** A holder that has the same token again, and objects without a fence, are not refused. */
    @Test
    void otherChanges_areMade() {
        Opened holder = Opened.by(store.withFence(7));
        Opened again = Opened.by(store.withFence(7));
        holder.change("a");
        again.change("b");
        holder.map().putAll(many());
        assertEquals(MANY + 6, again.map().size());
        Opened.by(store).change("c");
        assertEquals(3, holder.queue().size());
        store.names().drop("map");
        assertNull(store.withFence(1).map("map", String.class, Long.class).put("a", 1L));
        assertTrue(store.isOpen());
        assertThrows(IllegalArgumentException.class, () -> store.withFence(0));
    }
}
