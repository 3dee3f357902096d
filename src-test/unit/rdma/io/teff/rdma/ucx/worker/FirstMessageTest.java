package io.teff.rdma.ucx.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.teff.rdma.ucx.UcxMessageMode;
import io.teff.rdma.ucx.UcxThreadMode;
import io.teff.rdma.ucx.message.UcxRequest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: whoever has got the first active message of a peer may connect back and close by force. UCX 1.13 ends a process
 * that closes an endpoint while UCX's answer to the request for the connection waits for room at the peer.
 *
 * <p>Method: a third worker fills the queue of the caller over shared memory, so the answer of the called worker waits.
 * The message must not arrive before the answer has left.
 */
final class FirstMessageTest {
    private static final int MESSAGE = 1;
    private static final int BYTES = 8;
    private static final int MOVES = 1_000;
    private static final int SENDS_MAX = 100_000;

    @ParameterizedTest
    @EnumSource
    void firstMessage_arrivesBehindTheAnswerOfUcx(UcxMessageMode mode) {
        UcxPair.assumeUcx();
        try (UcxContext context = UcxContext.open(UcxPair.config(UcxPair.POSIX).build());
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(BYTES);
            UcxWorker called = context.worker(UcxThreadMode.SINGLE);
            UcxWorker caller = context.worker(UcxThreadMode.SINGLE);
            UcxWorker filler = context.worker(UcxThreadMode.SINGLE);
            int[] arrived = new int[1];
            called.onMessage(MESSAGE, message -> arrived[0]++);
            UcxEndpoint toCalled = caller.connect(called.address(), UcxErrorMode.PEER);
            UcxRequest first = caller.request();
            toCalled.send(MESSAGE, memory, 0, BYTES, memory, 0, BYTES, mode, first);
            move(caller);
            fill(filler, filler.connect(caller.address(), UcxErrorMode.PEER), memory);
            move(called);
            assertEquals(0, arrived[0], "the message has left before the caller knows the called worker");
            assertFalse(first.isDone());
            UcxPair.until(() -> arrived[0] > 0, caller, called);
            UcxEndpoint back = called.connect(caller.address(), UcxErrorMode.PEER);
            fill(filler, filler.connect(caller.address(), UcxErrorMode.PEER), memory);
            back.close(UcxCloseMode.FORCE);
            UcxPair.until(first::isDone, caller, called);
            move(caller);                                       // takes the messages of the filler
            move(filler);
        }
    }

    private static void move(UcxWorker worker) {
        for (int i = 0; i < MOVES; i++) {
            worker.progress();
        }
    }

    /** Sends tagged messages until the queue of the peer is full. */
    private static void fill(UcxWorker filler, UcxEndpoint to, MemorySegment memory) {
        int count = 0;
        UcxRequest last;
        do {
            last = filler.request();
            to.tagSend(memory, 0, BYTES, MESSAGE, last);
            count++;
        } while (last.isDone() && count < SENDS_MAX);
        assertFalse(last.isDone());
    }
}
