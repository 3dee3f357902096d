package io.teff.test.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.NamedRoot;
import io.teff.engine.TypedChunks;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.view.ChunkFilter;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.function.Executable;

/**
 * The contract of {@link ChunkStore}, for an implementation with all operations: beside those on chunks and their
 * locks, CIDs, names and collections. There is one test class per kind of store, which extends this class.
 */
public abstract class ChunkStoreContract extends LockContract {
    /** For subclasses. */
    protected ChunkStoreContract() {}

    /** Returns the tests that this kind of store cannot pass: the name of each method of this class, and the reason. */
    protected Map<String, String> exceptions() {
        return Map.of();
    }

    /** Returns whether a collection that is opened twice is one object. */
    protected boolean keepsObjects() {
        return true;
    }

    /** Leaves an exception out, with its reason in the report of the test. */
    @BeforeEach
    final void leaveOutExceptions(TestInfo test) {
        Set<String> methods = Stream.of(ChunkStoreContract.class.getDeclaredMethods()).map(Method::getName)
            .collect(Collectors.toSet());
        assertTrue(methods.containsAll(exceptions().keySet()), "each exception is a test: " + exceptions().keySet());
        String reason = exceptions().get(test.getTestMethod().orElseThrow().getName());
        assumeTrue(reason == null, reason);
    }

    // ---- single operations ----

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
        store.ids().forEach(expected::add);                     // a cluster has chunks of other tests
        long removed = store.create(ABC);
        for (int i = 0; i < 100; i++) {
            expected.add(store.create(ABC));
        }
        store.remove(removed);
        store.ids().reserve();
        Set<Long> visited = new HashSet<>();
        store.ids().forEach(cid -> assertTrue(visited.add(cid)));
        assertEquals(expected, visited);
    }

    /** A chunk of 4 bytes of a type, 4 of a number, 8 of a time, and some more. */
    private long typed(String type, int number, long time, int more) {
        return store.create(ByteBuffer.allocate(16 + more).order(ByteOrder.LITTLE_ENDIAN)
            .put(type.getBytes(StandardCharsets.UTF_8)).putInt(number).putLong(time).array());
    }

    private Set<Long> passing(ChunkFilter filter) {
        Set<Long> passing = new HashSet<>();
        store.ids().forEach(filter, cid -> assertTrue(passing.add(cid)));
        return passing;
    }

    @Test
    final void ids_forEachWithAFilter_visitsTheChunksThatPass() {
        ChunkFilter ofThis = ChunkFilter.all().withBytes(0, "%1x*".getBytes(StandardCharsets.UTF_8));
        long first = typed("%1x*", -5, 100, 0);
        long second = typed("%1x*", 7, 200, 10);
        long third = typed("%1x*", 7, Long.MIN_VALUE, 1_000);
        long other = typed("%1x+", 7, 100, 0);
        long tooShort = store.create(ABC);
        assertEquals(Set.of(first, second, third), passing(ofThis));
        assertEquals(Set.of(second), passing(ofThis.withInt(4, 0, 10).withLong(8, 0, 200)));
        assertEquals(Set.of(first, third), passing(ofThis.withLong(8, Long.MIN_VALUE, 199)));
        assertEquals(Set.of(first), passing(ofThis.withInt(4, Integer.MIN_VALUE, -1)));
        assertEquals(Set.of(second, third), passing(ofThis.ofBytes(17, 2_000)));
        assertEquals(Set.of(), passing(ofThis.withLong(1_010, Long.MIN_VALUE, Long.MAX_VALUE)));
        assertEquals(Set.of(first, second, third), passing(ofThis.inZones(Cid.nid(first), Cid.nid(second),
            Cid.nid(third))));
        assertEquals(Set.of(), passing(ofThis.inZones(65_000)));
        Set<Long> all = passing(ChunkFilter.all());
        assertTrue(all.containsAll(Set.of(first, second, third, other, tooShort)));
        store.remove(first);
        assertEquals(Set.of(second, third), passing(ofThis));
        assertThrows(IllegalArgumentException.class, () -> ofThis.withBytes(0, new byte[257]));
        assertThrows(IllegalArgumentException.class, () -> ofThis.withInt(-1, 0, 1));
        store.remove(second);
        store.remove(third);
        store.remove(other);
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

    // ---- collections ----

    @Test
    final void collections_areFoundByName() {
        store.map("map", Codecs.STRING, Codecs.LONG).put("a", 1L);
        if (keepsObjects()) {
            assertSame(store.map("map", Codecs.STRING, Codecs.LONG), store.map("map", Codecs.STRING, Codecs.LONG));
        }
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
