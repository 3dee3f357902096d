package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.test.kit.Content;
import io.teff.test.kit.Threads;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a pinned chunk keeps its address and length, and exists, until its last unpin.
 *
 * <p>Method: examples of every operation on a pinned chunk, then threads that pin while other threads change and
 * remove.
 */
@Tag("modes")
final class PinsTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 2047, 20_000, 200_000})
    void pinned_keepsAddressAndLength(int length) {
        try (Store store = Stores.open()) {
            long cid = store.create(Content.of(length, 1));
            Pin first = store.pins().pin(cid);
            Pin second = store.pins().pin(cid);
            assertEquals(cid, first.cid());
            assertEquals(length, first.segment().byteSize());
            long address = first.address();
            assertEquals(List.of(new Pins.PinnedChunk(cid, 2)), store.pins().list());
            assertEquals(Status.PINNED, store.remove(cid));
            assertEquals(Status.PINNED, store.locks().remove(cid, 0));
            assertEquals(Status.PINNED, store.resize(cid, length + 1));
            assertEquals(Status.PINNED, store.put(cid, new byte[length + 1]));
            assertEquals(Status.OK, store.resize(cid, length));
            assertEquals(Status.OK, store.put(cid, Content.of(length, 2)));
            assertEquals(length, store.views().edit(cid, editor -> assertEquals(length, editor.length())));
            assertEquals(address, second.address());
            assertArrayEquals(Content.of(length, 2), first.segment().toArray(ValueLayout.JAVA_BYTE));
            assertEquals(Status.OK, store.seal(cid));
            first.close();
            first.close();
            assertThrows(IllegalStateException.class, first::segment);
            assertThrows(IllegalStateException.class, first::address);
            assertEquals(Status.PINNED, store.remove(cid));
            second.close();
            assertEquals(Status.NOT_HELD, store.pins().unpin(cid));
            assertEquals(List.of(), store.pins().list());
            assertEquals(length, store.remove(cid));
            assertEquals(0, store.audit().lockedChunks());
        }
    }

    @Test
    void pin_writesAreSeenByGets() {
        try (Store store = Stores.open()) {
            long cid = store.create(100L);
            try (Pin pin = store.pins().pin(cid)) {
                pin.segment().copyFrom(MemorySegment.ofArray(Content.of(100, 9)));
            }
            assertArrayEquals(Content.of(100, 9), store.chunks().get(cid).orElseThrow());
        }
    }

    @Test
    void pin_ofAbsentOrLocked_throws() throws InterruptedException {
        FakeTime time = new FakeTime();
        try (Store store = Stores.open(time)) {
            assertThrows(NoSuchElementException.class, () -> store.pins().pin(Cid.of(0, 5)));
            assertEquals(Status.NOT_HELD, store.pins().unpin(Cid.of(0, 5)));
            long cid = store.create(8L);
            store.locks().lockWrite(cid, 0);
            Threads.start("other", ignored -> assertThrows(StoreException.class, () -> store.pins().pin(cid))).end();
            store.pins().pin(cid).close();
            assertEquals(Status.OK, store.locks().unlock(cid));
            assertEquals(0, store.audit().lockedChunks());
        }
    }

    @Test
    void pin_whileOthersRemoveAndResize_staysValid() throws InterruptedException {
        try (Store store = Stores.open()) {
            AtomicBoolean done = new AtomicBoolean();
            long[] cids = new long[8];
            for (int i = 0; i < cids.length; i++) {
                cids[i] = store.create(Content.of(64, i));
            }
            Threads.Running changer = Threads.start("changer", ignored -> {
                for (int i = 0; !done.get(); i++) {
                    int status = store.put(cids[i % cids.length], Content.of(64 + i % 300, i));
                    assertTrue(status == Status.OK || status == Status.PINNED, () -> Status.name(status));
                }
            });
            for (int i = 0; i < 20_000; i++) {
                long cid = cids[i % cids.length];
                try (Pin pin = store.pins().pin(cid)) {
                    assertEquals(store.size(cid), pin.segment().byteSize());
                    assertEquals(Status.PINNED, store.remove(cid));
                }
            }
            done.set(true);
            changer.end();
            assertEquals(0, store.audit().lockedChunks());
        }
    }
}
