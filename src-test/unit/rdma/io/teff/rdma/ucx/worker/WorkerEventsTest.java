package io.teff.rdma.ucx.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.UcxThreadMode;
import io.teff.rdma.ucx.message.UcxRequest;
import io.teff.test.kit.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: a worker sleeps until there is something to do, and no wake-up is lost. */
final class WorkerEventsTest {
    private static final long LONG_NS = 60_000_000_000L;
    private static final int ROUNDS = 100;

    @ParameterizedTest
    @ValueSource(strings = {UcxPair.POSIX, UcxPair.TCP})
    void sleep_messagesArrive_wakesForEach(String transport) throws InterruptedException {
        UcxPair.assumeUcx();
        try (UcxContext context = UcxContext.open(UcxPair.config(transport).build())) {
            AtomicReference<byte[]> receiver = new AtomicReference<>();
            AtomicReference<byte[]> sender = new AtomicReference<>();
            CountDownLatch known = new CountDownLatch(2);
            Threads.runAll(2, number -> {
                try (UcxWorker worker = context.worker(UcxThreadMode.SINGLE); Arena arena = Arena.ofConfined()) {
                    (number == 0 ? receiver : sender).set(worker.address());
                    known.countDown();
                    known.await();
                    UcxEndpoint peer = worker.connect((number == 0 ? sender : receiver).get(), UcxErrorMode.PEER);
                    MemorySegment memory = arena.allocate(16);
                    UcxRequest send = worker.request();
                    UcxRequest receive = worker.request();
                    for (int i = 0; i < ROUNDS; i++) {          // a ping-pong: each side sleeps for the other
                        worker.tagReceive(memory, 0, 8, number, -1, receive);
                        if (number == 0) {
                            peer.tagSend(memory, 8, 8, 1, send);
                        }
                        while (!receive.isDone()) {
                            assertTrue(worker.sleep(LONG_NS), "a wake-up was lost");
                        }
                        receive.check();
                        if (number == 1) {
                            peer.tagSend(memory, 8, 8, 0, send);
                        }
                        assertEquals(UcxStatus.OK, worker.await(send, LONG_NS));
                    }
                }
            });
        }
    }

    @Test
    void sleep_nothingHappens_endsWithItsTime() {
        UcxPair.assumeUcx();
        try (UcxContext context = UcxContext.open(UcxPair.config(UcxPair.POSIX).build())) {
            UcxWorker worker = context.worker(UcxThreadMode.SINGLE);
            long begin = System.nanoTime();
            boolean isAwake = true;
            for (int i = 0; isAwake && i < 100; i++) {          // the first events are of the worker's own making
                isAwake = worker.sleep(1_000_000);
            }
            assertFalse(isAwake);
            assertTrue(System.nanoTime() - begin >= 1_000_000);
            assertTrue(worker.eventDescriptor() >= 0);
        }
    }

    @Test
    void signal_ofAnotherThread_endsASleep() throws InterruptedException {
        UcxPair.assumeUcx();
        try (UcxContext context = UcxContext.open(UcxPair.config(UcxPair.POSIX).build())) {
            AtomicReference<UcxWorker> made = new AtomicReference<>();
            CountDownLatch ready = new CountDownLatch(1);
            CountDownLatch over = new CountDownLatch(1);
            Threads.runAll(2, number -> {
                if (number == 0) {
                    try (UcxWorker worker = context.worker(UcxThreadMode.SINGLE)) {
                        made.set(worker);
                        ready.countDown();
                        assertTrue(worker.sleep(LONG_NS));
                        over.countDown();
                    }
                } else {
                    ready.await();
                    made.get().signal();
                    over.await();
                }
            });
            assertThrows(IllegalStateException.class, () -> made.get().signal(), "closed");
        }
    }

    @Test
    void close_whileAnotherThreadSleeps_wakesIt() throws InterruptedException {
        UcxPair.assumeUcx();
        try (UcxContext context = UcxContext.open(UcxPair.config(UcxPair.POSIX).build())) {
            UcxWorker worker = context.worker(UcxThreadMode.MULTI);
            CountDownLatch ready = new CountDownLatch(1);
            Threads.runAll(2, number -> {
                if (number == 0) {
                    ready.countDown();
                    assertThrows(IllegalStateException.class, () -> {
                        while (true) {
                            worker.sleep(LONG_NS);
                        }
                    });
                } else {
                    ready.await();
                    worker.close();
                }
            });
        }
    }
}
