package io.teff.rdma.ucx.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.ucx.UcxException;
import io.teff.rdma.ucx.UcxFeature;
import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.UcxThreadMode;
import io.teff.rdma.ucx.worker.UcxConfig;
import io.teff.rdma.ucx.worker.UcxContext;
import io.teff.rdma.ucx.worker.UcxPair;
import io.teff.rdma.ucx.worker.UcxWorker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: tagged messages arrive whole, at the right receive, or say why not. Method: two workers in one thread. */
final class TagTest {
    private static final long ALL = -1;

    @ParameterizedTest
    @CsvSource({"posix, 0", "posix, 8", "posix, 9000", "posix, 1000000", "sysv, 8", "sysv, 1000000", "tcp, 8",
        "tcp, 9000", "tcp, 1000000"})
    void tagSend_expected_arrivesWhole(String transport, int size) {
        try (UcxPair pair = UcxPair.open(transport)) {
            MemorySegment source = pair.filled(size, 1);
            MemorySegment target = pair.empty(size);
            pair.right.tagReceive(target, 0, size, 7, ALL, pair.rightRequest);
            pair.toRight.tagSend(source, 0, size, 7, pair.leftRequest);
            pair.finish(pair.leftRequest, pair.rightRequest);
            assertEquals(size, pair.rightRequest.length());
            assertEquals(7, pair.rightRequest.tag());
            UcxPair.assertSame(source, target, size);
        }
    }

    @ParameterizedTest
    @CsvSource({"posix, 8", "posix, 1000000", "tcp, 1000000"})
    void tagSend_beforeItsReceive_isKept(String transport, int size) {
        try (UcxPair pair = UcxPair.open(transport)) {
            MemorySegment source = pair.filled(size, 2);
            MemorySegment target = pair.empty(size + 8L);
            pair.toRight.tagSend(source, 0, size, 0x1234, pair.leftRequest);
            UcxTagMessage message = pair.right.tagMessage();
            pair.until(() -> pair.right.tagProbe(0x1200, 0xFF00, message));
            assertEquals(0x1234, message.tag());
            assertEquals(size, message.length());
            pair.right.tagReceive(target, 8, size, 0x34, 0xFF, pair.rightRequest);
            pair.finish(pair.leftRequest, pair.rightRequest);
            assertEquals(0x1234, pair.rightRequest.tag());
            UcxPair.assertSame(source, target.asSlice(8), size);
        }
    }

    @Test
    void tagReceive_otherTag_isNotMet() {
        try (UcxPair pair = UcxPair.open(UcxPair.POSIX)) {
            MemorySegment memory = pair.empty(64);
            UcxRequest other = pair.right.request();
            pair.right.tagReceive(memory, 0, 8, 1, ALL, other);
            pair.right.tagReceive(memory, 8, 8, 2, ALL, pair.rightRequest);
            pair.toRight.tagSend(pair.filled(8, 3), 0, 8, 2, pair.leftRequest);
            pair.finish(pair.leftRequest, pair.rightRequest);
            assertFalse(other.isDone());
            assertEquals(UcxStatus.IN_PROGRESS, other.status());
            other.cancel();
            pair.until(other::isDone);
            assertEquals(UcxStatus.CANCELED, other.status());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {UcxPair.POSIX, UcxPair.TCP})
    void tagReceive_bufferTooSmall_isTruncated(String transport) {
        try (UcxPair pair = UcxPair.open(transport)) {
            MemorySegment target = pair.filled(64, 9);
            MemorySegment guard = pair.filled(64, 9);
            pair.right.tagReceive(target, 0, 16, 7, ALL, pair.rightRequest);
            pair.toRight.tagSend(pair.filled(64, 4), 0, 64, 7, pair.leftRequest);
            pair.finish(pair.leftRequest);
            pair.until(pair.rightRequest::isDone);
            assertEquals(UcxStatus.MESSAGE_TRUNCATED, pair.rightRequest.status());
            UcxException failure = assertThrows(UcxException.class, pair.rightRequest::check);
            assertEquals(UcxStatus.MESSAGE_TRUNCATED, failure.status());
            assertEquals(-1, MemorySegment.mismatch(guard, 16, 64, target, 16, 64), "behind the buffer");
        }
    }

    @Test
    void tagSendSync_isDone_onlyWithItsReceive() {
        try (UcxPair pair = UcxPair.open(UcxPair.POSIX)) {
            pair.toRight.tagSendSync(pair.filled(8, 5), 0, 8, 7, pair.leftRequest);
            UcxTagMessage message = pair.right.tagMessage();
            pair.until(() -> pair.right.tagProbe(7, ALL, message));
            for (int i = 0; i < 1000; i++) {
                pair.left.progress();
                pair.right.progress();
                assertFalse(pair.leftRequest.isDone());
            }
            pair.right.tagReceive(pair.empty(8), 0, 8, 7, ALL, pair.rightRequest);
            pair.finish(pair.leftRequest, pair.rightRequest);
        }
    }

    @Test
    void tagTake_message_isReceivedByIt() {
        try (UcxPair pair = UcxPair.open(UcxPair.POSIX)) {
            MemorySegment source = pair.filled(100, 6);
            MemorySegment target = pair.empty(100);
            UcxTagMessage message = pair.right.tagMessage();
            assertFalse(pair.right.tagTake(7, ALL, message));
            pair.toRight.tagSend(source, 0, 100, 7, pair.leftRequest);
            pair.until(() -> pair.right.tagTake(7, ALL, message));
            assertTrue(message.isTaken());
            assertThrows(IllegalStateException.class, () -> pair.right.tagTake(7, ALL, message));
            UcxTagMessage second = pair.right.tagMessage();
            assertFalse(pair.right.tagProbe(7, ALL, second), "taken messages are gone");
            pair.right.tagReceive(message, target, 0, 100, pair.rightRequest);
            pair.finish(pair.leftRequest, pair.rightRequest);
            assertFalse(message.isTaken());
            UcxPair.assertSame(source, target, 100);
        }
    }

    @Test
    void operation_wrongMemory_isRefused() {
        try (UcxPair pair = UcxPair.open(UcxPair.POSIX)) {
            MemorySegment memory = pair.empty(64);
            assertThrows(IndexOutOfBoundsException.class, () -> pair.toRight.tagSend(memory, 60, 8, 7,
                pair.leftRequest));
            assertThrows(IndexOutOfBoundsException.class, () -> pair.right.tagReceive(memory, -1, 8, 7, ALL,
                pair.rightRequest));
            MemorySegment heap = MemorySegment.ofArray(new long[8]);
            assertThrows(IllegalArgumentException.class, () -> pair.toRight.tagSend(heap, 0, 8, 7, pair.leftRequest));
            MemorySegment fixed = memory.asReadOnly();
            assertThrows(IllegalArgumentException.class, () -> pair.right.tagReceive(fixed, 0, 8, 7, ALL,
                pair.rightRequest));
            Arena closed = Arena.ofConfined();
            MemorySegment gone = closed.allocate(64);
            closed.close();
            assertThrows(IllegalStateException.class, () -> pair.toRight.tagSend(gone, 0, 8, 7, pair.leftRequest));
            assertTrue(pair.leftRequest.isDone());
            assertThrows(IllegalArgumentException.class, () -> pair.toRight.tagSend(memory, 0, 8, 7,
                pair.rightRequest), "a request of another worker");
        }
    }

    @Test
    void request_underWay_isNotUsedTwice() {
        try (UcxPair pair = UcxPair.open(UcxPair.POSIX)) {
            MemorySegment memory = pair.empty(64);
            pair.right.tagReceive(memory, 0, 8, 7, ALL, pair.rightRequest);
            assertThrows(IllegalStateException.class, () -> pair.right.tagReceive(memory, 8, 8, 8, ALL,
                pair.rightRequest));
            assertThrows(IllegalStateException.class, pair.rightRequest::check);
            pair.toRight.tagSend(pair.filled(8, 7), 0, 8, 7, pair.leftRequest);
            pair.finish(pair.leftRequest, pair.rightRequest);
        }
    }

    @Test
    void operation_withoutItsFeature_isRefused() {
        UcxPair.assumeUcx();
        UcxConfig config = UcxConfig.builder(UcxFeature.STREAM).set("TLS", UcxPair.TCP).build();
        try (UcxContext context = UcxContext.open(config)) {
            UcxWorker worker = context.worker(UcxThreadMode.SINGLE);
            UcxRequest request = worker.request();
            MemorySegment memory = Arena.ofAuto().allocate(8);
            IllegalStateException failure = assertThrows(IllegalStateException.class,
                () -> worker.tagReceive(memory, 0, 8, 7, ALL, request));
            assertTrue(failure.getMessage().contains("TAG"), failure.getMessage());
            assertThrows(IllegalStateException.class, worker::arm);
            assertThrows(IllegalStateException.class, () -> worker.onMessage(1, message -> { }));
        }
    }

    @Test
    void pingPong_manyMessages_keepTheirOrder() {
        try (UcxPair pair = UcxPair.open(UcxPair.POSIX)) {
            MemorySegment source = pair.empty(8);
            MemorySegment target = pair.empty(8);
            for (long i = 0; i < 10_000; i++) {
                source.set(ValueLayout.JAVA_LONG, 0, i);
                pair.right.tagReceive(target, 0, 8, 7, ALL, pair.rightRequest);
                pair.toRight.tagSend(source, 0, 8, 7, pair.leftRequest);
                pair.finish(pair.leftRequest, pair.rightRequest);
                assertEquals(i, target.get(ValueLayout.JAVA_LONG, 0));
            }
        }
    }
}
