package io.teff.test.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterFunction;
import io.teff.cluster.ClusterFunctions;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.FunctionFailedException;
import io.teff.cluster.UnknownFunctionException;
import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.test.kit.Threads;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Registered functions, which the service loader finds on the class path of this module; the owners have the path. */
final class FunctionsOnClusterTest {
    private final ClusterStore store = (ClusterStore) Fresh.CLUSTER.store();
    private final ClusterFunctions functions = store.functions();
    private final ChunkMap<String, Long> map = store.map(Fresh.unused(), Codecs.STRING, Codecs.LONG);
    private final ChunkSortedMap<String, Long> sorted = store.sortedMap(Fresh.unused(), Codecs.STRING, Codecs.LONG);

    @AfterEach
    void drop() {
        map.audit();
        sorted.audit();
        Fresh.CLUSTER.dropAll();
    }

    private byte[] call(boolean isSorted, String function, byte... argument) {
        return isSorted ? functions.call(sorted, "LH 1", function, argument)
            : functions.call(map, "LH 1", function, argument);
    }

    private Long value(boolean isSorted) {
        return isSorted ? sorted.get("LH 1") : map.get("LH 1");
    }

    @Test
    void call_changesTheEntry_andReturnsTheResult() {
        for (boolean isSorted : new boolean[] {false, true}) {
            assertEquals(93, Seats.number(call(isSorted, Seats.NAME, Seats.bytes(7))), "of an absent entry");
            assertEquals(93, value(isSorted));
            assertEquals(90, Seats.number(call(isSorted, Seats.NAME, Seats.bytes(3))));
            assertEquals(90, value(isSorted));
            assertNull(call(isSorted, Seats.NAME, Seats.bytes(0)));
            assertNull(value(isSorted), "the function has removed the entry");
            assertNull(call(isSorted, Seats.NAME, Seats.bytes(0)));
        }
        ChunkLongMap<Long> numbers = store.longMap(Fresh.unused(), Codecs.LONG);
        assertThrows(FunctionFailedException.class, () -> functions.call(numbers, 7L, Seats.NAME, Seats.bytes(101)));
        assertEquals(99, Seats.number(functions.call(numbers, 7L, Seats.NAME, Seats.bytes(1))));
    }

    /** A function that has failed leaves the entry as it was, and the caller learns the name and the message. */
    @Test
    void function_thatThrows_leavesTheEntry() {
        for (boolean isSorted : new boolean[] {false, true}) {
            call(isSorted, Seats.NAME, Seats.bytes(60));
            FunctionFailedException failed = assertThrows(FunctionFailedException.class,
                () -> call(isSorted, Seats.NAME, Seats.bytes(41)));
            assertEquals(Seats.NAME, failed.function());
            assertEquals("function seats/1 has failed: java.lang.IllegalStateException: only 40 seats are left of LH 1",
                failed.getMessage());
            for (byte how : new byte[] {Misuse.THROWS_ERROR, Misuse.LONG_RESULT, Misuse.LONG_VALUE,
                Misuse.LONG_MESSAGE}) {
                String text = assertThrows(FunctionFailedException.class, () -> call(isSorted, "misuse", how))
                    .getMessage();
                assertTrue(text.startsWith("function misuse has failed: ") && text.length() < 1_100, text);
            }
            assertEquals(40, value(isSorted));
        }
    }

    /** A call of a name that the owner lacks ends at once, and says so. */
    @Test
    void name_thatTheOwnerLacks_isRefusedByName() {
        for (boolean isSorted : new boolean[] {false, true}) {
            UnknownFunctionException unknown = assertThrows(UnknownFunctionException.class,
                () -> call(isSorted, "seats/2"));
            assertEquals("seats/2", unknown.function());
            assertTrue(unknown.getMessage().contains("has no function seats/2 on its class path"),
                unknown.getMessage());
            assertTrue(unknown.getMessage().contains("lacks a library"), unknown.getMessage());
            assertNull(value(isSorted));
        }
    }

    @Test
    void arguments_thatAreTooLong_areRefusedBeforeTheCall() {
        assertThrows(IllegalArgumentException.class, () -> call(false, ""));
        assertThrows(IllegalArgumentException.class, () -> call(true, "\u00E9".repeat(51)));
        assertThrows(IllegalArgumentException.class, () -> call(true, Seats.NAME,
            new byte[ClusterFunction.ARGUMENT_BYTES_MAX + 1]));
        assertThrows(UnknownFunctionException.class, () -> call(false, "\u00E9".repeat(50),
            new byte[ClusterFunction.ARGUMENT_BYTES_MAX]));
        try (Store local = Store.open(); ClusterStore other = ClusterStore.connect(Fresh.clusterAddress())) {
            assertThrows(IllegalArgumentException.class, () -> functions.call(local.map("m", Codecs.STRING,
                Codecs.LONG), "a", Seats.NAME, Seats.bytes(1)));
            assertThrows(IllegalArgumentException.class, () -> functions.call(local.sortedMap("s", Codecs.STRING,
                Codecs.LONG), "a", Seats.NAME, Seats.bytes(1)));
            assertThrows(IllegalArgumentException.class, () -> other.functions().call(map, "a", Seats.NAME,
                Seats.bytes(1)));
        }
    }

    /** Functions of one entry do not run at the same time: no seat is sold twice. */
    @Test
    void calls_ofManyThreads_areAtomic() throws InterruptedException {
        for (boolean isSorted : new boolean[] {false, true}) {
            AtomicLong sold = new AtomicLong();
            AtomicLong refused = new AtomicLong();
            Threads.runAll(4, _ -> {
                for (int i = 0; i < 30; i++) {
                    try {
                        byte[] left = call(isSorted, Seats.NAME, Seats.bytes(1));
                        assertArrayEquals(Seats.bytes(Seats.number(left)), left);
                        sold.incrementAndGet();
                    } catch (FunctionFailedException e) {
                        refused.incrementAndGet();
                    }
                }
            });
            assertEquals(100, sold.get());
            assertEquals(20, refused.get());
            assertEquals(0, value(isSorted));
        }
    }
}
