package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.test.kit.Threads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: a reader of a long element holds its chunk, and an operation that cannot remove the chunk meanwhile leaves a
 * consistent collection.
 *
 * <p>Method: a store that does not wait for locks, and another thread that reads without finishing.
 */
final class HeldElementsTest {
    private static final int LONG_BYTES = 100_000;
    private static final int OTHER_BYTES = 2_000;

    private final Store store = Store.open(Stores.small().memoryLimitBytes(64 << 20).lockTimeoutNs(0).build());

    @AfterEach
    void close() {
        store.audit();
        store.close();
    }

    /** Lets another thread read the chunk of a given length. */
    private void hold(int bytes) throws InterruptedException {
        CidCursor cursor = store.ids().cursor();
        long cid = cursor.next();
        while (cid != Cid.NONE && store.size(cid) != bytes) {
            cid = cursor.next();
        }
        long held = cid;
        Threads.runAll(1, _ -> assertEquals(Status.OK, store.locks().lockRead(held, 0)));
    }

    @Test
    void queue_firstElementIsHeld_staysThere() throws InterruptedException {
        ChunkQueue<byte[]> queue = store.queue("it", Codecs.BYTES);
        queue.add(new byte[LONG_BYTES]);
        queue.add(new byte[7]);
        hold(LONG_BYTES);
        assertEquals(StoreException.Category.RETRY, assertThrows(StoreException.class, queue::poll).category());
        queue.audit();
        assertEquals(2, queue.size());
        assertArrayEquals(new byte[LONG_BYTES], queue.peek());
    }

    /** The new element is present, whether or not the chunk of the old one could be removed. */
    @Test
    void list_elementThatIsReplacedIsHeld_isReplaced() throws InterruptedException {
        ChunkList<byte[]> list = store.list("it", Codecs.BYTES);
        list.add(new byte[LONG_BYTES]);
        hold(LONG_BYTES);
        assertEquals(StoreException.Category.RETRY,
            assertThrows(StoreException.class, () -> list.setAt(0, new byte[OTHER_BYTES])).category());
        list.audit();
        assertArrayEquals(new byte[OTHER_BYTES], list.get(0));
    }
}
