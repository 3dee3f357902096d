package io.teff.rdma.ucx.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.ffi.Lifetimes;
import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.UcxThreadMode;
import io.teff.rdma.ucx.memory.UcxMemory;
import io.teff.rdma.ucx.memory.UcxRemoteMemory;
import io.teff.rdma.ucx.message.UcxRequest;
import io.teff.rdma.ucx.message.UcxTagMessage;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: objects end in order, twice without harm, with operations under way, and never leave anything behind. */
final class LifetimeTest {
    private static final long ALL = -1;
    private static final int ENDPOINTS = 1000;

    private static long descriptors() {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void close_ofTheContext_closesEverything() {
        int before = Lifetimes.openCount();
        UcxPair pair = UcxPair.open(UcxPair.POSIX);
        UcxMemory memory = pair.context.allocate(64);
        UcxRemoteMemory remote = pair.toRight.remote(memory.key());
        MemorySegment segment = memory.segment();
        UcxListener listener = pair.left.listen(new java.net.InetSocketAddress("127.0.0.1", 0));
        pair.context.close();
        assertEquals(before, Lifetimes.openCount());
        pair.context.close();                                   // a second time, without harm
        pair.left.close();
        pair.toRight.close();
        memory.close();
        remote.close();
        MemorySegment own = pair.empty(8);
        assertThrows(IllegalStateException.class, () -> pair.context.worker(UcxThreadMode.SINGLE));
        assertThrows(IllegalStateException.class, () -> pair.context.allocate(8));
        assertThrows(IllegalStateException.class, pair.left::progress);
        assertThrows(IllegalStateException.class, pair.left::request);
        assertThrows(IllegalStateException.class, pair.left::address);
        assertThrows(IllegalStateException.class, () -> pair.left.sleep(1));
        assertThrows(IllegalStateException.class, () -> pair.toRight.tagSend(own, 0, 8, 1, pair.leftRequest));
        assertThrows(IllegalStateException.class, () -> pair.toRight.flush(pair.leftRequest));
        assertThrows(IllegalStateException.class, () -> remote.put(own, 0, 8, 0, pair.leftRequest));
        assertThrows(IllegalStateException.class, () -> remote.swap64(0, 8, pair.leftRequest));
        assertThrows(IllegalStateException.class, memory::key);
        assertThrows(IllegalStateException.class, memory::segment);
        assertThrows(IllegalStateException.class, () -> segment.get(ValueLayout.JAVA_BYTE, 0));
        assertThrows(IllegalStateException.class, listener::poll);
        assertThrows(IllegalStateException.class, listener::address);
        pair.arena.close();
    }

    @Test
    void call_ofAClosedEndpoint_isRefused_whileItsWorkerLives() {
        try (UcxPair pair = UcxPair.open(UcxPair.POSIX)) {
            MemorySegment own = pair.empty(8);
            try (UcxMemory memory = pair.context.allocate(8)) {
                UcxRemoteMemory remote = pair.toRight.remote(memory.key());
                pair.toRight.close();
                assertThrows(IllegalStateException.class, () -> pair.toRight.tagSend(own, 0, 8, 1, pair.leftRequest));
                assertThrows(IllegalStateException.class, () -> pair.toRight.streamReceive(own, 0, 8, true,
                    pair.leftRequest));
                assertThrows(IllegalStateException.class, () -> pair.toRight.remote(memory.key()));
                assertThrows(IllegalStateException.class, () -> remote.put(own, 0, 8, 0, pair.leftRequest));
                assertTrue(pair.leftRequest.isDone());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {UcxPair.POSIX, UcxPair.TCP})
    void close_withOperationsUnderWay_endsThem(String transport) {
        UcxPair pair = UcxPair.open(transport);
        MemorySegment memory = pair.empty(1 << 20);
        List<UcxRequest> requests = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            UcxRequest receive = pair.left.request();
            pair.left.tagReceive(memory, i * 8, 8, 100 + i, ALL, receive);
            UcxRequest stream = pair.left.request();
            pair.toRight.streamReceive(memory, 1000 + i * 8, 8, true, stream);
            UcxRequest send = pair.left.request();
            pair.toRight.tagSend(memory, 0, 1 << 20, 200 + i, send); // rendezvous without a receiver
            requests.addAll(List.of(receive, stream, send));
        }
        UcxTagMessage taken = pair.right.tagMessage();
        pair.until(() -> pair.right.tagTake(200, ALL, taken));
        assertTrue(requests.stream().anyMatch(request -> !request.isDone()));
        pair.context.close();
        for (UcxRequest request : requests) {
            assertTrue(request.isDone());
            assertTrue(request.status().isFailure(), request.status()::toString);
        }
        pair.arena.close();
    }

    @Test
    void close_ofMemory_waitsForItsOperations() {
        try (UcxPair pair = UcxPair.open(UcxPair.POSIX)) {
            UcxMemory memory = pair.context.allocate(1 << 20);
            pair.left.tagReceive(memory.segment(), 0, 1 << 20, 7, ALL, pair.leftRequest);
            assertFalse(pair.leftRequest.isDone());
            memory.close();
            assertTrue(pair.leftRequest.isDone());
            assertEquals(UcxStatus.CANCELED, pair.leftRequest.status());
        }
    }

    @Test
    void close_ofRemoteMemory_withOperationsUnderWay_isSafe() {
        try (UcxPair pair = UcxPair.open(UcxPair.TCP); UcxMemory memory = pair.context.allocate(1 << 20)) {
            UcxRemoteMemory remote = pair.toRight.remote(memory.key());
            MemorySegment target = pair.empty(1 << 20);
            remote.get(target, 0, 1 << 20, 0, pair.leftRequest);
            assertFalse(pair.leftRequest.isDone());
            remote.close();
            assertThrows(IllegalStateException.class, () -> remote.get(target, 0, 8, 0, pair.left.request()));
            pair.finish(pair.leftRequest);
        }
    }

    @Test
    void single_anotherThread_isRefused() throws InterruptedException {
        try (UcxPair pair = UcxPair.open(UcxPair.POSIX)) {
            Threads.runAll(1, number -> {
                assertThrows(IllegalStateException.class, pair.left::progress);
                assertThrows(IllegalStateException.class, pair.left::request);
                assertThrows(IllegalStateException.class, () -> pair.toRight.flush(pair.leftRequest));
            });
            pair.left.progress();
        }
    }

    @Test
    void single_itsThreadHasEnded_isClosedByAnyOther() throws InterruptedException {
        UcxPair.assumeUcx();
        UcxContext context = UcxContext.open(UcxPair.config(UcxPair.POSIX).build());
        AtomicReference<UcxWorker> worker = new AtomicReference<>();
        Threads.runAll(1, number -> worker.set(context.worker(UcxThreadMode.SINGLE)));
        context.close();
        assertFalse(worker.get().isOpen());
    }

    /** Threads use a worker while another one closes it: each call works or is refused, and nothing crashes. */
    @ParameterizedTest
    @ValueSource(strings = {"MULTI", "SERIALIZED"})
    void close_whileOtherThreadsWork_isSafe(UcxThreadMode mode) throws InterruptedException {
        UcxPair.assumeUcx();
        for (int round = 0; round < 20; round++) {
            try (UcxContext context = UcxContext.open(UcxPair.config(UcxPair.POSIX).build())) {
                UcxWorker worker = context.worker(mode);
                UcxEndpoint self = worker.connect(worker.address(), UcxErrorMode.PEER);
                AtomicBoolean isOver = new AtomicBoolean();
                AtomicLong calls = new AtomicLong();
                CountDownLatch ready = new CountDownLatch(2);
                MemorySegment memory = Arena.ofAuto().allocate(64);
                Threads.runAll(3, number -> {
                    if (number == 2) {
                        ready.await();
                        try {
                            Threads.await("a hundred calls", () -> calls.get() >= 100);
                            worker.close();
                        } finally {
                            isOver.set(true);
                        }
                        return;
                    }
                    ready.countDown();
                    while (!isOver.get()) {
                        try {
                            worker.progress();
                            UcxRequest request = worker.request();
                            self.tagSend(memory, 0, 8, 1, request);
                            worker.tagReceive(memory, 8, 8, 1, ALL, request);
                        } catch (IllegalStateException e) {
                            Thread.yield();                     // the other thread's turn, a busy request, or closed
                        }
                        calls.incrementAndGet();
                    }
                });
                assertFalse(worker.isOpen());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {UcxPair.POSIX, UcxPair.TCP})
    void endpoints_madeAndClosed_leaveNothing(String transport) {
        try (UcxPair pair = UcxPair.open(transport)) {
            byte[] address = pair.right.address();
            long before = 0;
            int objects = Lifetimes.openCount();
            for (int i = 0; i < ENDPOINTS; i++) {
                try (UcxEndpoint endpoint = pair.left.connect(address, UcxErrorMode.PEER)) {
                    endpoint.tagSend(pair.leftMemory(), 0, 8, 7, pair.leftRequest);
                    pair.right.tagReceive(pair.leftMemory(), 8, 8, 7, ALL, pair.rightRequest);
                    pair.finish(pair.leftRequest, pair.rightRequest);
                    endpoint.close(UcxCloseMode.FORCE);
                }
                pair.right.progress();
                if (i == ENDPOINTS / 10) {
                    before = descriptors();
                }
            }
            pair.until(() -> pair.right.progress() == 0);
            assertEquals(objects, Lifetimes.openCount());
            long after = descriptors();
            assertTrue(after <= before + 8, before + " descriptors became " + after);
        }
    }
}
