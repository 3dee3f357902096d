package io.teff.test.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.ChunkLock;
import io.teff.engine.ChunkStore;
import io.teff.engine.NamedRoot;
import io.teff.engine.TypedChunks;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.config.LockStep;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * The contract of {@link ChunkStore}, for an implementation with all operations: beside those on chunks, deadlines of
 * locks, CIDs, names and collections. There is one test class per kind of store, which extends this class.
 */
public abstract class ChunkStoreContract extends ChunkContract {
    /** For subclasses. */
    protected ChunkStoreContract() {}

    // ---- single operations ----

    @Test
    final void remove_makesTheCidAbsentForLocks() {
        long cid = store.create(ABC);
        assertEquals(3, store.remove(cid));
        assertEquals(Status.ABSENT, store.locks().lockRead(cid, 0));
        assertEquals(Status.ABSENT, store.locks().lockWrite(cid, 0));
        assertEquals(Status.ABSENT, store.locks().unlock(cid));
        assertEquals(Status.ABSENT, store.locks().remove(cid, 0));
        assertEquals(Status.ABSENT, store.locks().get(cid, new byte[8], 0, LockStep.NONE, LockStep.NONE, 0));
        assertEquals(Status.ABSENT, store.locks().put(cid, ABC, 0, 3, LockStep.NONE, LockStep.NONE, 0));
    }

    @Test
    final void seal_refusesTheWriteLock() {
        long sealed = store.create(new byte[8]);
        assertEquals(Status.OK, store.seal(sealed));
        for (long cid : new long[] {sealed, store.createReadOnly(new byte[8])}) {
            assertEquals(Status.READ_ONLY, store.locks().lockWrite(cid, 0));
        }
    }

    @Test
    final void full_isAStatusOfLongChunksAndOfCidsToo() throws Exception {
        try (ChunkStore small = open(config(4L << 20))) {
            long cid = small.create(bytes(1 << 19));
            assertEquals(Status.FULL, small.create(1 << 22));
            assertEquals(Status.FULL, small.createReadOnly(bytes(1 << 22)));
            assertEquals(Status.FULL, small.put(cid, bytes(1 << 22)));
            assertEquals(Status.FULL, small.resize(cid, 1 << 22));
            assertEquals(Status.FULL, small.locks().create(bytes(1 << 22), 0, 1 << 22, true));
            long reserved = small.ids().reserve();
            assertEquals(Status.FULL, small.ids().createAt(reserved, 1 << 22));
        }
    }

    @Test
    final void typedChunks_updateObjects() {
        TypedChunks<String> texts = new TypedChunks<>(store, Codecs.STRING);
        long cid = texts.create("one");
        assertEquals("two", texts.update(cid, _ -> "two"));
        assertEquals("two", texts.get(cid).orElseThrow());
        assertTrue(texts.remove(cid));
        assertThrows(NoSuchElementException.class, () -> texts.update(cid, text -> text));
    }

    // ---- ids, names ----

    @Test
    final void ids_forEach_visitsEachChunkOnce() {
        Set<Long> expected = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            expected.add(store.create(ABC));
        }
        long removed = expected.iterator().next();
        expected.remove(removed);
        store.remove(removed);
        store.ids().reserve();
        Set<Long> visited = new HashSet<>();
        store.ids().forEach(cid -> assertTrue(visited.add(cid)));
        assertEquals(expected, visited);
    }

    @Test
    final void names_bindGetDrop() {
        long cid = store.create(ABC);
        assertTrue(store.names().all().isEmpty());
        assertTrue(store.names().get("it").isEmpty());
        store.names().bind("it", cid);
        assertEquals(cid, store.names().get("it").orElseThrow().cid());
        assertEquals(NamedRoot.Kind.CHUNK, store.names().get("it").orElseThrow().kind());
        store.names().bind("it", store.create(OTHER));
        assertNotEquals(cid, store.names().get("it").orElseThrow().cid());
        store.set("elements", Codecs.LONG);
        assertEquals(List.of("elements", "it"), List.copyOf(store.names().all().keySet()));
        assertThrows(IllegalArgumentException.class, () -> store.names().bind("elements", cid));
        store.remove(cid);
        assertThrows(IllegalArgumentException.class, () -> store.names().bind("gone", cid));
        assertTrue(store.names().drop("it"));
        assertFalse(store.names().drop("it"));
        assertTrue(store.names().drop("elements"));
        assertTrue(store.names().all().isEmpty());
    }

    // ---- locks ----

    @Test
    final void locks_writeLock_keepsOthersOut() throws Exception {
        long cid = store.create(new byte[8]);
        assertEquals(Status.OK, store.locks().lockWrite(cid, 0));
        assertTrue(store.locks().isWriteHeld(cid));
        assertFalse(store.locks().isReadHeld(cid));
        assertEquals(Status.LOCKED, elsewhere(() -> store.locks().lockRead(cid, 0)));
        assertEquals(Status.LOCKED, elsewhere(() -> store.locks().lockWrite(cid, 0)));
        assertEquals(Status.LOCKED, elsewhere(() -> store.get(cid, new byte[8])));
        assertEquals(Status.LOCKED, elsewhere(() -> store.put(cid, ABC)));
        assertEquals(Status.LOCKED, elsewhere(() -> store.putBytes(cid, 0, ABC, 0, 1)));
        assertEquals(Status.LOCKED, elsewhere(() -> store.getBytes(cid, 0, new byte[8], 0, 1)));
        assertEquals(Status.LOCKED, elsewhere(() -> store.resize(cid, 1)));
        assertEquals(Status.LOCKED, elsewhere(() -> store.remove(cid)));
        assertEquals(Status.LOCKED, elsewhere(() -> store.locks().remove(cid, 0)));
        assertEquals(Status.LOCKED, elsewhere(() -> store.seal(cid)));
        assertEquals(Status.LOCKED, elsewhere(() -> store.fields().putLong(cid, 0, 1)));
        assertEquals(Status.NOT_HELD, elsewhere(() -> store.locks().unlock(cid)));
        assertEquals(StoreException.Category.RETRY, elsewhere(() -> assertThrows(StoreException.class,
            () -> store.chunks().get(cid)).category()));
        assertEquals(8, elsewhere(() -> store.size(cid)));
        assertEquals(Status.OK, store.put(cid, ABC));
        assertEquals(Status.OK, store.locks().unlock(cid));
        assertEquals(3, elsewhere(() -> store.get(cid, new byte[8])));
    }

    @Test
    final void locks_deadline_isKept() throws Exception {
        long cid = store.create(ABC);
        assertEquals(Status.OK, store.locks().lockWrite(cid, 0));
        long took = elsewhere(() -> {
            long start = System.nanoTime();
            assertEquals(Status.LOCKED, store.locks().lockRead(cid, SHORT_NS));
            return System.nanoTime() - start;
        });
        assertTrue(took >= SHORT_NS, () -> "waited " + took + " ns");
        Future<Integer> waiting = other.submit(() -> store.locks().lockWrite(cid, Long.MAX_VALUE));
        assertEquals(Status.OK, store.locks().unlock(cid));
        assertEquals(Status.OK, waiting.get(PATIENCE_S, TimeUnit.SECONDS));
        assertEquals(Status.OK, elsewhere(() -> store.locks().unlock(cid)));
    }

    @Test
    final void locks_readLocks_areShared_andSwapped() throws Exception {
        long cid = store.create(ABC);
        assertEquals(Status.OK, store.locks().lockRead(cid, 0));
        assertTrue(store.locks().isReadHeld(cid));
        assertEquals(Status.OK, elsewhere(() -> store.locks().lockRead(cid, 0)));
        assertEquals(Status.LOCKED, store.locks().swapToWrite(cid, 0));
        assertEquals(Status.LOCKED, elsewhere(() -> store.locks().swapToWrite(cid, 0)));
        assertEquals(Status.OK, elsewhere(() -> store.locks().unlock(cid)));
        assertEquals(Status.NOT_HELD, elsewhere(() -> store.locks().swapToWrite(cid, 0)));
        assertEquals(Status.OK, store.locks().swapToWrite(cid, 0));
        assertTrue(store.locks().isWriteHeld(cid));
        assertEquals(Status.OK, store.locks().swapToRead(cid));
        assertEquals(Status.NOT_HELD, store.locks().swapToRead(cid));
        assertEquals(Status.OK, store.locks().unlock(cid));
        assertEquals(Status.NOT_HELD, store.locks().unlock(cid));
    }

    @Test
    final void locks_hold_isForABlock() throws Exception {
        long cid = store.create(ABC);
        try (ChunkLock lock = store.locks().hold(cid, true, 0).orElseThrow()) {
            assertEquals(cid, lock.cid());
            assertTrue(elsewhere(() -> store.locks().hold(cid, false, 0).isEmpty()));
            assertTrue(elsewhere(() -> assertThrows(IllegalStateException.class, lock::close)) != null);
        }
        assertFalse(store.locks().isWriteHeld(cid));
        store.remove(cid);
        assertThrows(NoSuchElementException.class, () -> store.locks().hold(cid, true, 0));
    }

    @Test
    final void locks_steps_areOneWithTheOperation() throws Exception {
        byte[] target = new byte[8];
        long cid = store.locks().create(OTHER, 1, 3, true);
        assertTrue(store.locks().isWriteHeld(cid));
        assertEquals(3, store.locks().get(cid, target, 0, LockStep.NONE, LockStep.SWAP_TO_READ, 0));
        assertTrue(store.locks().isReadHeld(cid));
        assertEquals(Status.OK, store.locks().put(cid, ABC, 0, 3, LockStep.SWAP_TO_WRITE, LockStep.UNLOCK, 0));
        assertFalse(store.locks().isWriteHeld(cid));
        assertEquals(Status.NOT_HELD, store.locks().get(cid, target, 0, LockStep.NONE, LockStep.UNLOCK, 0));
        assertEquals(Status.OUT_OF_RANGE, store.locks().put(cid, ABC, 0, 2, LockStep.LOCK_WRITE, LockStep.UNLOCK, 0));
        assertTrue(store.locks().isWriteHeld(cid));
        assertEquals(Status.LOCKED, elsewhere(() -> store.locks().put(cid, ABC, 0, 3, LockStep.LOCK_WRITE,
            LockStep.UNLOCK, 0)));
        assertEquals(Status.OK, store.locks().unlock(cid));
        assertEquals(3, store.locks().get(cid, target, 0, LockStep.LOCK_READ, LockStep.UNLOCK, 0));
        assertArrayEquals(ABC, Arrays.copyOf(target, 3));
        long read = store.locks().create(ABC, 0, 3, false);
        assertTrue(store.locks().isReadHeld(read));
        assertEquals(Status.OK, store.locks().unlock(read));
        assertEquals(3, store.locks().remove(read, 0));
    }

    // ---- collections ----

    @Test
    final void collections_areFoundByName() {
        store.map("map", Codecs.STRING, Codecs.LONG).put("a", 1L);
        assertSame(store.map("map", Codecs.STRING, Codecs.LONG), store.map("map", Codecs.STRING, Codecs.LONG));
        assertEquals(Map.of("a", 1L), store.map("map", String.class, Long.class));
        store.longMap("numbers", Codecs.STRING).set(5, "five");
        assertEquals("five", store.longMap("numbers", Codecs.STRING).get(5));
        store.sortedMap("sorted", Codecs.STRING, Codecs.LONG).putAll(Map.of("b", 2L, "a", 1L));
        assertEquals("a", store.sortedMap("sorted", Codecs.STRING, Codecs.LONG).firstKey());
        store.sortedMap("down", Codecs.STRING, Codecs.LONG, Comparator.reverseOrder()).putAll(Map.of("b", 2L, "a", 1L));
        assertEquals("b", store.sortedMap("down", Codecs.STRING, Codecs.LONG, Comparator.reverseOrder()).firstKey());
        store.sortedLongMap("long", Codecs.STRING).set(-1, "minus");
        assertEquals("minus", store.sortedLongMap("long", Codecs.STRING).firstEntry().getValue());
        assertTrue(store.set("set", Codecs.STRING).add("x"));
        assertFalse(store.set("set", Codecs.STRING).add("x"));
        store.list("list", Codecs.STRING).addAll(List.of("p", "q"));
        assertEquals(List.of("p", "q"), store.list("list", Codecs.STRING));
        store.queue("queue", Codecs.STRING).addAll(List.of("p", "q"));
        assertEquals("p", store.queue("queue", Codecs.STRING).poll());
        assertThrows(IllegalArgumentException.class, () -> store.map("map", Codecs.STRING, Codecs.STRING));
        assertThrows(IllegalArgumentException.class, () -> store.list("set", Codecs.STRING));
        assertEquals(8, store.names().all().size());
    }

    // ---- close ----

    @Test
    final void close_endsOperationsOnCidsLocksAndNames() {
        long cid = store.create(ABC);
        store.close();
        List<Executable> calls = List.of(
            () -> store.ids().reserve(), () -> store.ids().createAt(cid, ABC), () -> store.locks().lockRead(cid, 0),
            () -> store.locks().lockWrite(cid, 0), () -> store.locks().create(ABC, 0, 3, true),
            () -> store.names().bind("a", cid));
        for (int i = 0; i < calls.size(); i++) {
            assertThrows(StoreClosedException.class, calls.get(i), "call " + i);
        }
    }
}
