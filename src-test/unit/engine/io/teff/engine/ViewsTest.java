package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.error.Status;
import io.teff.engine.view.ChunkEditor;
import io.teff.engine.view.ChunkView;
import io.teff.engine.view.ReadScope;
import io.teff.test.kit.Content;
import io.teff.test.kit.Threads;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a view is valid inside its scope, on its thread, and within the chunk; an edit is seen as a whole or not at
 * all.
 *
 * <p>Method: views are carried out of their scope and to another thread; every access is tried at and beyond the ends.
 */
@Tag("modes")
@Tag("plain")
final class ViewsTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 24, 3000, 100_000})
    void view_outsideOfItsScope_throws(int length) throws InterruptedException {
        try (Store store = Stores.open()) {
            long cid = store.create(Content.of(length, 3));
            ChunkView[] leaked = new ChunkView[3];
            assertEquals(length, store.views().read(cid, view -> leaked[0] = view));
            assertEquals(length, store.views().peek(cid, view -> leaked[1] = view));
            assertEquals(length, store.views().edit(cid, editor -> leaked[2] = editor));
            for (ChunkView view : leaked) {
                assertThrows(IllegalStateException.class, () -> view.getByte(0));
                assertThrows(IllegalStateException.class, () -> view.copyTo(0, new byte[1], 0, 0));
                assertEquals(length, view.length());
            }
            assertThrows(IllegalStateException.class, () -> ((ChunkEditor) leaked[2]).putByte(0, (byte) 1));
            assertArrayEquals(Content.of(length, 3), store.chunks().get(cid).orElseThrow());
            assertEquals(0, store.audit().lockedChunks());
        }
    }

    @Test
    void view_onAnotherThread_throws() {
        try (Store store = Stores.open()) {
            long cid = store.create(8L);
            store.views().edit(cid, editor -> {
                try {
                    Threads.start("thief", ignored -> {
                        assertThrows(IllegalStateException.class, () -> editor.getLong(0));
                        assertThrows(IllegalStateException.class, () -> editor.putLong(0, 1));
                    }).end();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            assertEquals(0, store.fields().getLong(cid, 0, -1));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 24, 3000, 5_000_000})
    void address_insideOfAScope_isThatOfThePinnedBytes(int length) {
        try (Store store = Stores.open()) {
            long cid = store.create(Content.of(length, 3));
            try (Pin pin = store.pins().pin(cid)) {
                assertEquals(length, store.views().read(cid, view -> assertEquals(pin.address(), view.address())));
                assertEquals(length, store.views().edit(cid, view -> assertEquals(pin.address(), view.address())));
            }
        }
    }

    @Test
    void address_ofNoBytes_isZero() {
        try (Store store = Stores.open()) {
            assertEquals(0, store.views().read(store.create(0L), view -> assertEquals(0, view.address())));
        }
    }

    @Test
    void address_whereNothingIsHeld_isRefused() {
        try (Store store = Stores.open()) {
            long cid = store.create(24L);
            ChunkView[] leaked = new ChunkView[1];
            assertThrows(IllegalStateException.class, () -> store.views().peek(cid, view -> view.address()));
            store.views().read(cid, view -> leaked[0] = view);
            assertThrows(IllegalStateException.class, () -> leaked[0].address());
        }
    }

    @Test
    void fields_atAndBeyondTheEnds() {
        try (Store store = Stores.open()) {
            long cid = store.create(21L);
            store.views().edit(cid, editor -> {
                editor.putLong(13, 0x0102030405060708L);
                editor.putInt(0, 0x11223344);
                editor.putShort(4, (short) 0x5566);
                editor.putByte(6, (byte) 0x77);
                assertEquals(8, editor.getByte(13));
                assertEquals(0x0102030405060708L, editor.getLong(13));
                assertEquals(0x11223344, editor.getInt(0));
                assertEquals(0x5566, editor.getShort(4));
                assertEquals(0x77, editor.getByte(6));
                for (long offset : new long[] {14, 21, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
                    assertThrows(IndexOutOfBoundsException.class, () -> editor.getLong(offset));
                    assertThrows(IndexOutOfBoundsException.class, () -> editor.putLong(offset, 0));
                    assertThrows(IndexOutOfBoundsException.class, () -> editor.copyTo(offset, new byte[8], 0, 8));
                    assertThrows(IndexOutOfBoundsException.class, () -> editor.copyFrom(new byte[8], 0, offset, 8));
                }
                assertThrows(IndexOutOfBoundsException.class, () -> editor.copyTo(0, new byte[8], 1, 8));
                assertThrows(IndexOutOfBoundsException.class,
                    () -> editor.copyFrom(MemorySegment.ofArray(new byte[8]), 1, 0, 8));
            });
            store.views().edit(cid, editor -> {
                editor.putDouble(0, Math.PI);
                editor.putFloat(9, 1.5f);
                assertEquals(Math.PI, editor.getDouble(0));
                assertEquals(1.5f, editor.getFloat(9));
            });
            assertEquals(Double.doubleToRawLongBits(Math.PI), store.fields().getLong(cid, 0, 0));
        }
    }

    @Test
    void scopeThatThrows_endsItsHold() throws InterruptedException {
        try (Store store = Stores.open()) {
            for (int length : new int[] {8, 200_000}) {
                long cid = store.create((long) length);
                IllegalArgumentException thrown = new IllegalArgumentException("by the scope");
                for (int i = 0; i < 3; i++) {
                    int kind = i;
                    assertEquals(thrown, assertThrows(IllegalArgumentException.class, () -> {
                        switch (kind) {
                            case 0 -> store.views().read(cid, view -> fail(thrown));
                            case 1 -> store.views().peek(cid, view -> fail(thrown));
                            default -> store.views().edit(cid, editor -> {
                                editor.putByte(0, (byte) 5);
                                fail(thrown);
                            });
                        }
                    }));
                }
                assertEquals(5, store.fields().getByte(cid, 0, (byte) 0), "what an edit wrote before stays");
                Threads.start("other", ignored -> assertEquals(length, store.remove(cid))).end();
            }
            assertEquals(0, store.audit().lockedChunks());
            assertEquals(0, Stores.space(store).running.sum());
        }
    }

    private static void fail(RuntimeException exception) {
        throw exception;
    }

    @Test
    void nestedViews_ofOneAndOfManyChunks() {
        try (Store store = Stores.open()) {
            long one = store.create(8L);
            long other = store.create(8L);
            store.views().edit(one, outer -> {
                outer.putLong(0, 4);
                store.views().edit(other, inner -> inner.putLong(0, outer.getLong(0) + 1));
                store.views().read(one, inner -> assertEquals(4, inner.getLong(0)));
                store.views().edit(one, inner -> inner.putLong(0, 6));
                assertEquals(6, outer.getLong(0));
                assertTrue(store.locks().isWriteHeld(one));
            });
            store.views().read(one, outer -> {
                store.views().edit(one, inner -> inner.putLong(0, 7));
                assertTrue(store.locks().isReadHeld(one));
                assertFalse(store.locks().isWriteHeld(one));
            });
            assertEquals(7, store.fields().getLong(one, 0, 0));
            assertEquals(5, store.fields().getLong(other, 0, 0));
            assertEquals(0, store.audit().lockedChunks());
        }
    }

    @Test
    void edit_ofReadOnly_isRefused() {
        try (Store store = Stores.open()) {
            long cid = store.createReadOnly(new byte[8]);
            assertEquals(Status.READ_ONLY, store.views().edit(cid, editor -> fail(new IllegalStateException())));
            assertEquals(8, store.views().peek(cid, view -> assertEquals(0, view.getLong(0))));
            assertEquals(Status.ABSENT,
                store.views().edit(Cid.of(0, 900), editor -> fail(new IllegalStateException())));
        }
    }

    @Test
    void readAndPeek_whileOthersEdit_seeWholeContents() throws InterruptedException {
        try (Store store = Stores.open()) {
            long cid = store.create(Content.of(400, 0));
            AtomicBoolean done = new AtomicBoolean();
            Threads.Running editor = Threads.start("editor", ignored -> {
                for (int i = 0; !done.get(); i++) {
                    byte[] content = Content.of(400, i);
                    assertEquals(400, store.views().edit(cid, view -> view.copyFrom(content, 0, 0, 400)));
                    assertEquals(Status.OK, store.put(cid, Content.of(400, -i)));
                }
            });
            byte[] buffer = new byte[400];
            for (int i = 0; i < 50_000; i++) {
                ReadScope scope = view -> view.copyTo(0, buffer, 0, 400);
                assertEquals(400, i % 2 == 0 ? store.views().peek(cid, scope) : store.views().read(cid, scope));
                assertTrue(Content.isWhole(buffer, 400));
            }
            done.set(true);
            editor.end();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void changeInsideOfItsOwnView_neverTakesTheMemoryAway(boolean unlocks) {
        try (Store store = Stores.open()) {
            long cid = store.create(Content.of(64, 1));
            store.views().edit(cid, editor -> {
                if (unlocks) {
                    assertEquals(Status.OK, store.locks().unlock(cid));
                }
                assertEquals(Status.PINNED, store.remove(cid));
                assertEquals(Status.PINNED, store.put(cid, new byte[200]));
                assertEquals(Status.PINNED, store.resize(cid, 500));
                editor.putByte(0, (byte) 7);
            });
            store.views().read(cid, view -> {
                assertEquals(Status.PINNED, store.remove(cid));
                assertEquals(Status.PINNED, store.put(cid, new byte[100_000]));
                assertEquals(7, view.getByte(0));
            });
            assertEquals(64, store.remove(cid));
            assertEquals(0, store.audit().lockedChunks());
        }
    }

    @Test
    void cursorAndLock_keepTheirStore() {
        CidCursor cursor = orphan().ids().cursor();
        ChunkLock lock;
        Store forgotten = orphan();
        lock = forgotten.locks().hold(forgotten.ids().cursor().next(), true, 0).orElseThrow();
        forgotten = null;
        for (int i = 0; i < 20; i++) {
            System.gc();
            Thread.yield();
        }
        assertTrue(cursor.next() > 0);
        lock.close();
    }

    private static Store orphan() {
        Store store = Stores.open();
        store.create(8L);
        return store;
    }
}
