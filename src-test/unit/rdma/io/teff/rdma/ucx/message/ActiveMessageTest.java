package io.teff.rdma.ucx.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.ucx.UcxMessageMode;
import io.teff.rdma.ucx.UcxThreadMode;
import io.teff.rdma.ucx.worker.UcxContext;
import io.teff.rdma.ucx.worker.UcxEndpoint;
import io.teff.rdma.ucx.worker.UcxErrorMode;
import io.teff.rdma.ucx.worker.UcxPair;
import io.teff.rdma.ucx.worker.UcxWorker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Goal: active messages reach their handler with header and data, and a handler cannot hurt the JVM. */
final class ActiveMessageTest {
    private static final int ID = 3;

    @ParameterizedTest
    @CsvSource({"posix, EAGER, 100", "posix, AUTOMATIC, 0", "posix, RENDEZVOUS, 100000", "posix, AUTOMATIC, 1000000",
        "sysv, EAGER, 9000", "tcp, EAGER, 9000", "tcp, RENDEZVOUS, 100000"})
    void send_message_reachesItsHandler(String transport, UcxMessageMode mode, int size) {
        try (UcxPair pair = UcxPair.open(transport)) {
            MemorySegment header = pair.filled(24, 1);
            MemorySegment source = pair.filled(size, 2);
            MemorySegment target = pair.empty(size);
            AtomicInteger calls = new AtomicInteger();
            byte[] found = new byte[24];
            pair.right.onMessage(ID, message -> {
                calls.incrementAndGet();
                assertEquals(ID, message.id());
                assertEquals(size, message.length());
                assertEquals(24, message.headerLength());
                assertEquals(header.get(ValueLayout.JAVA_LONG, 8), message.headerLong(8));
                message.copyHeader(0, MemorySegment.ofArray(found), 0, 24);
                assertEquals(mode == UcxMessageMode.RENDEZVOUS, mode != UcxMessageMode.AUTOMATIC
                    && message.isRendezvous());
                message.receive(target, 0, pair.rightRequest);
            });
            pair.toRight.send(ID, header, 0, 24, source, 0, size, mode, pair.leftRequest);
            pair.until(() -> calls.get() == 1 && pair.rightRequest.isDone());
            pair.finish(pair.leftRequest, pair.rightRequest);
            assertEquals(size, pair.rightRequest.length());
            assertArrayEquals(header.toArray(ValueLayout.JAVA_BYTE), found);
            UcxPair.assertSame(source, target, size);
        }
    }

    @Test
    void handler_rendezvousNotReceived_endsTheSend() {
        try (UcxPair pair = UcxPair.open(UcxPair.POSIX)) {
            AtomicInteger calls = new AtomicInteger();
            pair.right.onMessage(ID, message -> {
                assertThrows(IllegalStateException.class, () -> message.dataLong(0));
                calls.incrementAndGet();
            });
            pair.toRight.send(ID, pair.empty(1), 0, 0, pair.filled(100_000, 1), 0, 100_000,
                UcxMessageMode.RENDEZVOUS, pair.leftRequest);
            pair.finish(pair.leftRequest);
            assertEquals(1, calls.get());
        }
    }

    @Test
    void handler_throws_progressThrowsIt() {
        try (UcxPair pair = UcxPair.open(UcxPair.POSIX)) {
            IllegalArgumentException planned = new IllegalArgumentException("planned");
            AtomicInteger calls = new AtomicInteger();
            pair.right.onMessage(ID, message -> {
                if (calls.incrementAndGet() == 1) {
                    throw planned;
                }
            });
            MemorySegment data = pair.filled(8, 1);
            pair.toRight.send(ID, data, 0, 8, data, 0, 8, UcxMessageMode.EAGER, pair.leftRequest);
            assertSame(planned, assertThrows(IllegalArgumentException.class, () -> pair.until(() -> false)));
            pair.finish(pair.leftRequest);
            pair.toRight.send(ID, data, 0, 8, data, 0, 8, UcxMessageMode.EAGER, pair.leftRequest);
            pair.until(() -> calls.get() == 2);
            pair.finish(pair.leftRequest);
        }
    }

    @Test
    void handler_forbiddenCalls_areRefused() {
        try (UcxPair pair = UcxPair.open(UcxPair.POSIX)) {
            byte[] address = pair.left.address();
            AtomicReference<UcxMessage> kept = new AtomicReference<>();
            pair.right.onMessage(ID, message -> {
                assertThrows(IllegalStateException.class, pair.right::progress);
                assertThrows(IllegalStateException.class, () -> pair.right.connect(address, UcxErrorMode.PEER));
                kept.set(message);
            });
            MemorySegment data = pair.filled(8, 1);
            pair.toRight.send(ID, data, 0, 8, data, 0, 8, UcxMessageMode.EAGER, pair.leftRequest);
            pair.until(() -> kept.get() != null);
            pair.finish(pair.leftRequest);
            assertThrows(IllegalStateException.class, () -> kept.get().headerLong(0), "outside of the handler");
            assertThrows(IllegalStateException.class, () -> kept.get().length());
        }
    }

    @Test
    void handler_answers_fromWithin() {
        try (UcxPair pair = UcxPair.open(UcxPair.POSIX)) {
            AtomicInteger answers = new AtomicInteger();
            MemorySegment answer = pair.filled(8, 9);
            pair.right.onMessage(ID, message -> pair.toLeft.send(ID, answer, 0, 8, answer, 0, 0,
                UcxMessageMode.EAGER, pair.rightRequest));
            pair.left.onMessage(ID, message -> {
                assertEquals(answer.get(ValueLayout.JAVA_LONG, 0), message.headerLong(0));
                answers.incrementAndGet();
            });
            for (int i = 1; i <= 100; i++) {
                int expected = i;
                pair.toRight.send(ID, answer, 0, 8, answer, 0, 8, UcxMessageMode.EAGER, pair.leftRequest);
                pair.until(() -> answers.get() == expected);
                pair.finish(pair.leftRequest, pair.rightRequest);
            }
        }
    }

    @Test
    void handler_messageToItsOwnWorker_seesBothMessages() {
        UcxPair.assumeUcx();
        try (UcxContext context = UcxContext.open(UcxPair.config("self,posix").build())) {
            UcxWorker worker = context.worker(UcxThreadMode.SINGLE);
            UcxEndpoint self = worker.connect(worker.address(), UcxErrorMode.NONE);
            UcxRequest outer = worker.request();
            UcxRequest inner = worker.request();
            AtomicInteger depth = new AtomicInteger();
            AtomicInteger calls = new AtomicInteger();
            MemorySegment headers = java.lang.foreign.Arena.ofAuto().allocate(16, 8);
            headers.set(ValueLayout.JAVA_LONG, 0, 1);
            headers.set(ValueLayout.JAVA_LONG, 8, 2);
            worker.onMessage(ID, message -> {
                long header = message.headerLong(0);
                if (header == 1) {
                    self.send(ID, headers, 8, 8, headers, 0, 0, UcxMessageMode.EAGER, inner);
                }
                depth.incrementAndGet();
                assertEquals(header, message.headerLong(0), "the view is restored");
                calls.incrementAndGet();
            });
            self.send(ID, headers, 0, 8, headers, 0, 0, UcxMessageMode.EAGER, outer);
            UcxPair.until(() -> calls.get() == 2 && outer.isDone() && inner.isDone(), worker);
            assertEquals(2, depth.get());
        }
    }

    @Test
    void onMessage_wrongArguments_areRefused() {
        try (UcxPair pair = UcxPair.open(UcxPair.POSIX)) {
            pair.right.onMessage(ID, message -> { });
            assertThrows(IllegalStateException.class, () -> pair.right.onMessage(ID, message -> { }));
            assertThrows(IllegalArgumentException.class, () -> pair.right.onMessage(-1, message -> { }));
            assertTrue(pair.left.headerMax() >= 64, "headerMax " + pair.left.headerMax());
            MemorySegment large = pair.empty(1 << 20);
            assertThrows(IllegalArgumentException.class, () -> pair.toRight.send(ID, large, 0,
                pair.left.headerMax() + 1, large, 0, 0, UcxMessageMode.EAGER, pair.leftRequest));
            assertFalse(pair.leftRequest.status().isFailure());
        }
    }
}
