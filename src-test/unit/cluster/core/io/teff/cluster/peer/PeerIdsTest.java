package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.engine.Cid;
import io.teff.engine.view.ChunkFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Visits of the chunks that pass a filter, which the owners test; an owner keeps nothing of a visit. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerIdsTest {
    private static final int PEERS = 3;
    private static final int ZONES = 2;
    private static final int CHUNKS = 300;
    private static final byte[] MARK = {77, 1, 2, 3};

    @TempDir
    private Path folder;

    private PeerCluster cluster;
    private ClusterStore store;

    @BeforeEach
    void start() throws IOException {
        cluster = new PeerCluster("ids-test-" + System.nanoTime(), folder, 1);
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

    private Set<Long> marked() {
        Set<Long> marked = new HashSet<>();
        for (int i = 0; i < CHUNKS; i++) {
            byte[] content = new byte[20 + i];
            if (i % 3 == 0) {
                System.arraycopy(MARK, 0, content, 4, MARK.length);
            }
            long cid = store.create(content);
            assertTrue(cid > 0);
            if (i % 3 == 0) {
                marked.add(cid);
            }
        }
        return marked;
    }

    private void kill(int zone) {
        try {
            cluster.killAttested(cluster.numberOf(cluster.owner(zone)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Goal: owners die while their zones are visited, and each chunk that exists throughout is shown once. */
    @Test
    void visit_whileAnOwnerDies_showsEachChunkOnce() {
        Set<Long> marked = marked();
        Set<Long> seen = new HashSet<>();
        AtomicBoolean isKilled = new AtomicBoolean();
        store.ids().forEach(ChunkFilter.all().withBytes(4, MARK), cid -> {
            assertTrue(seen.add(cid), Cid.toString(cid));
            if (isKilled.compareAndSet(false, true)) {
                kill(Cid.nid(cid));
            }
        });
        assertTrue(isKilled.get());
        assertEquals(marked, seen);
    }

    /** Owners of zones that a filter leaves out are not asked: their chunks are not shown. */
    @Test
    void visit_ofSomeZones_showsNoOther() {
        Set<Long> marked = marked();
        int zone = Cid.nid(marked.iterator().next());
        Set<Long> seen = new HashSet<>();
        store.ids().forEach(ChunkFilter.all().withBytes(4, MARK).inZones(zone), seen::add);
        assertFalse(seen.isEmpty());
        marked.removeIf(cid -> Cid.nid(cid) != zone);
        assertEquals(marked, seen);
    }
}
