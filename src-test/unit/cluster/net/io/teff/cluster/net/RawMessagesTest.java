package io.teff.cluster.net;

import io.teff.cluster.net.agent.StillNetworks;
import io.teff.cluster.net.message.HandledBy;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.RawAnswer;
import io.teff.cluster.net.message.RawReader;
import io.teff.cluster.net.message.RawRequestType;
import io.teff.cluster.net.message.RawType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: bytes of any memory arrive as they are, in one frame or many, whichever thread handles them; memory that cannot
 * be read harms the sender alone.
 *
 * <p>Method: two nodes in one thread and virtual time; lengths around the limits of frames and buffers.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RawMessagesTest {
    private static final int BYTES_MAX = 1 << 20;
    private static final RawType RUNS = new RawType(21, BYTES_MAX);
    private static final RawRequestType ECHOES = RawRequestType.of(22, BYTES_MAX, BYTES_MAX);
    private static final RawReader<byte[]> COPY = RawMessagesTest::copy;
    private static final long STEP_NS = 5_000_000;
    private static final long TIMEOUT_NS = 1_000_000_000;
    private static final int OFFSET = 13;

    private final StillNetworks still = new StillNetworks(1);
    private final Network one;
    private final Network two;
    private final List<byte[]> received = new ArrayList<>();

    RawMessagesTest() throws IOException {
        one = still.open(still.config(1).sendTimeoutNs(0));       // no agent makes room while a thread waits
        two = still.open(still.config(2).sendTimeoutNs(0));
    }

    @AfterEach
    void close() {
        still.settle(20, STEP_NS);
        still.audit();
        still.close();
    }

    private static byte[] copy(MemorySegment memory, long offset, int length) {
        return memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    private static byte[] bytes(int length) {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31 + (i >>> 8));
        }
        return bytes;
    }

    /** Bytes with others around them. */
    private static MemorySegment memory(byte[] bytes, boolean isNative) {
        final MemorySegment memory = isNative ? Arena.ofAuto().allocate(bytes.length + 2L * OFFSET)
            : MemorySegment.ofArray(new byte[bytes.length + 2 * OFFSET]);
        memory.fill((byte) 0x55);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, OFFSET, bytes.length);
        return memory;
    }

    private static HandledBy by(String name) {
        return switch (name) {
            case "agent" -> HandledBy.AGENT;
            case "handlers" -> HandledBy.HANDLERS;
            default -> HandledBy.executor(Runnable::run);
        };
    }

    static Stream<Arguments> kinds() {
        return Stream.of("agent", "handlers", "executor").flatMap(name -> Stream.of(true, false)
            .map(isNative -> Arguments.of(name, isNative)));
    }

    private void settle() {
        still.settle(20, STEP_NS);
    }

    // ---- messages ----

    @ParameterizedTest
    @MethodSource("kinds")
    void messagesOfEachLength_arriveAsTheyAre(String name, boolean isNative) {
        two.raw().handle(RUNS, by(name), (from, memory, offset, length) -> received.add(copy(memory, offset, length)));
        final List<byte[]> sent = new ArrayList<>();
        for (int length : new int[] {0, 1, 7, 8, 64, 1023, 1024, 1025, 8100, 8176, 8192, 65_535, 65_536, 65_537,
            131_048, 131_072, 131_073, 300_001, BYTES_MAX - 1, BYTES_MAX}) {
            final byte[] bytes = bytes(length);
            sent.add(bytes);
            one.raw().send(2, 1, RUNS, memory(bytes, isNative), OFFSET, length);
            settle();
        }
        assertEquals(sent.size(), received.size());
        for (int i = 0; i < sent.size(); i++) {
            assertArrayEquals(sent.get(i), received.get(i));
        }
    }

    /** The sender may use its memory again, also while the rest of a long message waits for room. */
    @Test
    void memoryThatChangesBehindSend_changesNoMessage() throws IOException {
        final Network hasty = still.open(still.config(3).ringBytes(1 << 16, 1 << 16).sendTimeoutNs(0));
        two.raw().handle(RUNS, HandledBy.AGENT, (from, memory, offset, length) -> received.add(copy(memory, offset,
            length)));
        hasty.raw().send(2, 0, RUNS, MemorySegment.ofArray(bytes(8)), 0, 8);
        settle();
        final byte[] bytes = bytes(400_000);
        final MemorySegment memory = memory(bytes, true);
        hasty.raw().send(2, 0, RUNS, memory, OFFSET, bytes.length);
        memory.fill((byte) 0);
        settle();
        assertArrayEquals(bytes, received.getLast());
    }

    @Test
    void shortHandler_readsWhereTheMessageHasArrived() {
        final List<Boolean> ofHeap = new ArrayList<>();
        two.raw().handle(RUNS, HandledBy.AGENT, (from, memory, offset, length) -> ofHeap.add(memory.heapBase()
            .isPresent()));
        one.raw().send(2, 0, RUNS, MemorySegment.ofArray(bytes(64)), 0, 64);
        settle();
        assertEquals(List.of(false), ofHeap);
    }

    @Test
    void offer_withoutRoom_dropsTheMessage() {
        two.raw().handle(RUNS, HandledBy.AGENT, (from, memory, offset, length) -> received.add(copy(memory, offset,
            length)));
        final MemorySegment memory = MemorySegment.ofArray(bytes(8000));
        int count = 0;
        while (one.raw().offer(2, 0, RUNS, memory, 0, 8000)) {
            count++;
        }
        settle();
        assertEquals(count, received.size());
        assertTrue(count > 0);
    }

    @Test
    void wrongBytes_areRefusedBeforeAnythingIsSent() {
        final MemorySegment memory = MemorySegment.ofArray(new byte[BYTES_MAX + 1]);
        assertThrows(IndexOutOfBoundsException.class, () -> one.raw().send(2, 0, RUNS, memory, BYTES_MAX, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> one.raw().send(2, 0, RUNS, memory, 0, -1));
        assertThrows(IllegalArgumentException.class, () -> one.raw().send(2, 256, RUNS, memory, 0, 1));
        assertEquals(Reason.TOO_LARGE, assertThrows(NetworkException.class,
            () -> one.raw().send(2, 0, RUNS, memory, 0, BYTES_MAX + 1)).reason());
        assertEquals(0, one.stats().messagesSent());
    }

    /** The arena was closed: the exception is the sender's, and later messages are not held up. */
    @ParameterizedTest
    @ValueSource(ints = {64, 300_000})
    void memoryThatIsGone_failsThatSendAlone(int length) {
        two.raw().handle(RUNS, HandledBy.AGENT, (from, memory, offset, count) -> received.add(copy(memory, offset,
            count)));
        two.raw().answer(ECHOES, HandledBy.AGENT, (from, memory, offset, count, answer) -> answer.complete(memory,
            offset, count));
        final MemorySegment gone;
        try (Arena arena = Arena.ofConfined()) {
            gone = arena.allocate(length);
        }
        assertThrows(IllegalStateException.class, () -> one.raw().send(2, 0, RUNS, gone, 0, length));
        assertThrows(IllegalStateException.class, () -> one.raw().request(2, ECHOES, gone, 0, length, COPY,
            TIMEOUT_NS));
        one.raw().send(2, 0, RUNS, MemorySegment.ofArray(bytes(3)), 0, 3);
        settle();
        assertEquals(1, received.size());
        assertArrayEquals(bytes(3), received.getFirst());
        assertEquals(0, one.stats().requestsInFlight());
    }

    // ---- requests ----

    @ParameterizedTest
    @MethodSource("kinds")
    void requestsOfEachLength_areAnsweredWithTheirBytes(String name, boolean isNative) {
        two.raw().answer(ECHOES, by(name), (from, memory, offset, length, answer) -> {
            assertEquals(1, answer.from());
            assertTrue(answer.complete(memory, offset, length));
        });
        for (int length : new int[] {0, 1, 64, 8168, 8169, 65_536, 131_072, 300_001, BYTES_MAX}) {
            final byte[] bytes = bytes(length);
            final CompletableFuture<byte[]> request = one.raw().request(2, ECHOES, memory(bytes, isNative), OFFSET,
                length, COPY, TIMEOUT_NS);
            settle();
            assertArrayEquals(bytes, request.join());
        }
        assertEquals(List.of(0L, 0L), List.of(two.stats().requestsOpen(), two.stats().requestsUnanswered()));
    }

    @Test
    void complete_withWrongBytes_leavesTheRequestOpen() {
        final List<RawAnswer> handles = new ArrayList<>();
        two.raw().answer(ECHOES, HandledBy.HANDLERS, (from, memory, offset, length, answer) -> handles.add(answer));
        final CompletableFuture<byte[]> request = one.raw().request(2, ECHOES, MemorySegment.ofArray(bytes(1)), 0, 1,
            COPY, TIMEOUT_NS);
        settle();
        final RawAnswer handle = handles.getFirst();
        final MemorySegment memory = MemorySegment.ofArray(new byte[BYTES_MAX + 1]);
        assertThrows(IndexOutOfBoundsException.class, () -> handle.complete(memory, BYTES_MAX, 2));
        assertThrows(IllegalArgumentException.class, () -> handle.complete(memory, 0, BYTES_MAX + 1));
        assertTrue(handle.isOpen());
        assertTrue(handle.complete(memory, 0, 2));
        assertFalse(handle.complete(memory, 0, 3));
        settle();
        assertEquals(2, request.join().length);
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 300_000})
    void complete_withMemoryThatIsGone_failsTheRequest(int length) {
        final List<RawAnswer> handles = new ArrayList<>();
        two.raw().answer(ECHOES, HandledBy.HANDLERS, (from, memory, offset, count, answer) -> handles.add(answer));
        final CompletableFuture<byte[]> request = one.raw().request(2, ECHOES, MemorySegment.ofArray(bytes(1)), 0, 1,
            COPY, TIMEOUT_NS);
        settle();
        final MemorySegment gone;
        try (Arena arena = Arena.ofConfined()) {
            gone = arena.allocate(length);
        }
        assertTrue(handles.getFirst().complete(gone, 0, length));
        settle();
        assertEquals(Reason.FAILED, reason(request));
    }

    private static Reason reason(CompletableFuture<?> request) {
        assertTrue(request.isDone(), "it has not ended");
        return ((NetworkException) assertThrows(CompletionException.class, request::join).getCause()).reason();
    }

    @Test
    void readerThatThrows_failsItsRequestAlone() {
        two.raw().answer(ECHOES, HandledBy.AGENT, (from, memory, offset, length, answer) -> answer.complete(memory,
            offset, length));
        final MemorySegment memory = MemorySegment.ofArray(bytes(64));
        final CompletableFuture<byte[]> bad = one.raw().request(2, ECHOES, memory, 0, 64, (its, offset, length) -> {
            throw new IOException("planned");
        }, TIMEOUT_NS);
        final CompletableFuture<byte[]> good = one.raw().request(2, ECHOES, memory, 0, 64, COPY, TIMEOUT_NS);
        settle();
        assertEquals(Reason.FAILED, reason(bad));
        assertArrayEquals(bytes(64), good.join());
    }

    @Test
    void requestWithoutHandler_fails() {
        final CompletableFuture<byte[]> request = one.raw().request(2, ECHOES, MemorySegment.ofArray(bytes(64)), 0, 64,
            COPY, TIMEOUT_NS);
        settle();
        assertEquals(Reason.NO_HANDLER, reason(request));
    }

    /** The receiver allows less than the sender. */
    @ParameterizedTest
    @ValueSource(ints = {101, 8000, 300_000})
    void messageThatIsTooLongForItsReceiver_failsAlone(int length) {
        two.raw().answer(RawRequestType.of(22, 100, 100), HandledBy.AGENT,
            (from, memory, offset, count, answer) -> answer.complete(memory, offset, count));
        final MemorySegment memory = MemorySegment.ofArray(bytes(length));
        final CompletableFuture<byte[]> tooLong = one.raw().request(2, ECHOES, memory, 0, length, COPY, TIMEOUT_NS);
        final CompletableFuture<byte[]> right = one.raw().request(2, ECHOES, memory, 0, 100, COPY, TIMEOUT_NS);
        settle();
        assertEquals(Reason.FAILED, reason(tooLong));
        assertArrayEquals(Arrays.copyOf(bytes(length), 100), right.join());
    }

    /** Answers fill the backlog, so the next requests are handled later, when the link's memory has other bytes. */
    @Test
    void requestsThatAreHeld_keepTheirBytes() {
        two.raw().answer(ECHOES, HandledBy.AGENT, (from, memory, offset, length, answer) -> {
            received.add(copy(memory, offset, length));
            answer.complete(MemorySegment.ofArray(new byte[100_000]), 0, 100_000);
        });
        final List<CompletableFuture<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            final byte[] bytes = new byte[64];
            Arrays.fill(bytes, (byte) i);
            all.add(one.raw().request(2, ECHOES, MemorySegment.ofArray(bytes), 0, 64,
                (memory, offset, length) -> length, TIMEOUT_NS));
        }
        settle();
        all.forEach(it -> assertEquals(100_000, it.join()));
        assertEquals(200, received.size());
        for (int i = 0; i < 200; i++) {
            final byte[] bytes = received.get(i);
            final byte first = bytes[0];
            for (byte b : bytes) {
                assertEquals(first, b);
            }
        }
        assertEquals(200, received.stream().mapToInt(it -> it[0] & 0xFF).distinct().count());
    }
}
