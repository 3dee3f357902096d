package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.FencedChunks;
import io.teff.cluster.service.Hold;
import io.teff.cluster.service.HoldLostException;
import io.teff.cluster.service.NamedLock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A chunk that takes changes of the newest holder of a lock alone, as the page of services shows. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FencedChunksTest {
    private static final int ZONES = 2;

    @TempDir
    private Path folder;

    private static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    private static boolean write(ClusterStore store, long fence, long data, long token, byte[] content) {
        byte[] seen = new byte[Long.BYTES];
        do {
            store.get(fence, seen);
            if (ByteBuffer.wrap(seen).getLong() > token) {
                return false;
            }
        } while (!store.group().ifContent(fence, seen).put(fence, bytes(token)).put(data, content).commit());
        return true;
    }

    /** A holder was stopped behind its check: the owner compares the tokens, in one request for each change. */
    @Test
    void changeOfAStoppedHolder_isRefusedByTheOwner() throws IOException {
        try (PeerCluster cluster = new PeerCluster("fenced-test-" + System.nanoTime(), folder, 1)) {
            cluster.start(0, Peer.start(cluster.config(0).withZones(ZONES, 1, 100_000_000L)));
            cluster.awaitServed(ZONES);
            try (ClusterStore store = cluster.connect(); ClusterStore other = cluster.connect()) {
                long data = store.create(bytes(0));
                long fence = store.createNear(data, new byte[Long.BYTES]);
                long removed = store.createNear(data, bytes(0));
                Hold first = store.services().lock("writer").acquire(0).orElseThrow();
                FencedChunks behind = store.fenced(fence, first.token());
                behind.put(data, bytes(1));
                behind.put(data, bytes(2));
                first.check();                                  // and is stopped here, while its session ends
                first.close();
                Hold second = other.services().lock("writer").acquire(0).orElseThrow();
                other.fenced(fence, second.token()).put(data, bytes(3));
                assertThrows(HoldLostException.class, () -> behind.put(data, bytes(4)));
                assertThrows(HoldLostException.class, () -> behind.remove(data));
                assertFalse(behind.group().put(data, bytes(5)).put(removed, bytes(5)).commit());
                other.fenced(fence, second.token()).remove(removed);
                assertThrows(NoSuchElementException.class, () ->
                    other.fenced(fence, second.token()).put(removed, bytes(6)));
                assertEquals(3, ByteBuffer.wrap(store.chunks().get(data).orElseThrow()).getLong());
                assertEquals(second.token(), ByteBuffer.wrap(store.chunks().get(fence).orElseThrow())
                    .order(ByteOrder.LITTLE_ENDIAN).getLong());
                second.close();
            }
        }
    }

    /** The change of the earlier holder arrives late, after the change of the later holder. */
    @Test
    void changeWithAnEarlierToken_isRefused_afterALaterOne() throws IOException {
        try (PeerCluster cluster = new PeerCluster("fence-test-" + System.nanoTime(), folder, 1)) {
            cluster.start(0, Peer.start(cluster.config(0).withZones(ZONES, 1, 100_000_000L)));
            cluster.awaitServed(ZONES);
            try (ClusterStore store = cluster.connect(); ClusterStore other = cluster.connect()) {
                long data = store.create(bytes(0));
                long fence = store.createNear(data, bytes(0));
                NamedLock lock = store.services().lock("writer");
                Hold first = lock.acquire(0).orElseThrow();
                assertTrue(write(store, fence, data, first.token(), bytes(1)));
                first.close();
                Hold second = other.services().lock("writer").acquire(0).orElseThrow();
                assertTrue(write(store, fence, data, first.token(), bytes(2)), "no later holder has written yet");
                assertTrue(write(other, fence, data, second.token(), bytes(3)));
                assertFalse(write(store, fence, data, first.token(), bytes(4)));
                assertTrue(write(other, fence, data, second.token(), bytes(5)));
                assertEquals(5, ByteBuffer.wrap(store.chunks().get(data).orElseThrow()).getLong());
                second.close();
            }
        }
    }
}
