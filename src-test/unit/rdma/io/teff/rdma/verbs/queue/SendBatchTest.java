package io.teff.rdma.verbs.queue;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.RdmaException;
import io.teff.rdma.ffi.NativeMemory;
import io.teff.rdma.verbs.call.VerbsLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The chains of work requests as a provider reads them, without a device. */
final class SendBatchTest {
    private static final long PEER = 0x1122_3344_5566_7788L;
    private static final int KEY = 0xcafe;
    private static final int ENOMEM = 12;
    private static final int EINVAL = 22;

    private final SendBatch batch = new SendBatch(4, 2, 20);

    private static long next(long request) {
        return NativeMemory.getLong(request + VerbsLayout.SEND_NEXT);
    }

    private static int field(long request, long offset) {
        return NativeMemory.getInt(request + offset);
    }

    private static MemorySegment bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i + 1);
        }
        return MemorySegment.ofArray(bytes);
    }

    @Test
    void chain_ofThree_isLinkedAndEnds() {
        batch.send(1).write(2, PEER, KEY).signalled().fetchAndAdd(3, PEER, KEY, 5);
        long first = batch.chain();
        long second = next(first);
        long third = next(second);
        assertEquals(0, next(third));
        assertEquals(1, NativeMemory.getLong(first + VerbsLayout.SEND_WR_ID));
        assertEquals(3, NativeMemory.getLong(third + VerbsLayout.SEND_WR_ID));
        assertEquals(PEER, NativeMemory.getLong(second + VerbsLayout.SEND_REMOTE_ADDR));
        assertEquals(KEY, field(second, VerbsLayout.SEND_RKEY));
        assertEquals(2, field(second, VerbsLayout.SEND_FLAGS));
        assertEquals(0, field(first, VerbsLayout.SEND_FLAGS));
        assertEquals(5, NativeMemory.getLong(third + VerbsLayout.SEND_COMPARE_ADD));
        assertEquals(KEY, field(third, VerbsLayout.SEND_ATOMIC_RKEY));
        assertEquals(3, batch.count());
    }

    @Test
    void compareAndSwap_hasBothValues() {
        batch.compareAndSwap(1, PEER, KEY, 10, 20);
        assertEquals(10, NativeMemory.getLong(batch.chain() + VerbsLayout.SEND_COMPARE_ADD));
        assertEquals(20, NativeMemory.getLong(batch.chain() + VerbsLayout.SEND_SWAP));
    }

    @Test
    void immediate_isInNetworkOrder() {
        batch.sendImmediate(1, 0x01020304);
        assertEquals(0x04030201, field(batch.chain(), VerbsLayout.SEND_IMM_DATA));
    }

    @Test
    void inline_inPieces_isOneSegmentOfTheBatch() {
        MemorySegment source = bytes(20);
        batch.send(1).inline(source, 0, 12).inline(source, 12, 8).signalled();
        long request = batch.chain();
        long segment = NativeMemory.getLong(request + VerbsLayout.SEND_SG_LIST);
        assertEquals(1, field(request, VerbsLayout.SEND_NUM_SGE));
        assertEquals(8 | 2, field(request, VerbsLayout.SEND_FLAGS));
        assertEquals(20, field(segment, VerbsLayout.SGE_LENGTH));
        byte[] copied = NativeMemory.bytes(NativeMemory.getLong(segment + VerbsLayout.SGE_ADDR), 20);
        assertArrayEquals(source.toArray(ValueLayout.JAVA_BYTE), copied);
    }

    @Test
    void inline_beyondItsRoom_isRefused() {
        batch.send(1).inline(bytes(20), 0, 20);
        assertThrows(IllegalStateException.class, () -> batch.inline(bytes(1), 0, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> batch.send(2).inline(bytes(4), 0, 5));
    }

    /** Inline bytes of one request must not run into the next one. */
    @Test
    void inline_ofAllRequests_staysApart() {
        for (int i = 0; i < 4; i++) {
            byte[] content = new byte[20];
            Arrays.fill(content, (byte) (i + 1));
            batch.send(i).inline(MemorySegment.ofArray(content), 0, 20);
        }
        long request = batch.chain();
        for (int i = 0; i < 4; i++) {
            long segment = NativeMemory.getLong(request + VerbsLayout.SEND_SG_LIST);
            byte[] copied = NativeMemory.bytes(NativeMemory.getLong(segment + VerbsLayout.SGE_ADDR), 20);
            byte[] expected = new byte[20];
            Arrays.fill(expected, (byte) (i + 1));
            assertArrayEquals(expected, copied);
            assertEquals(i, NativeMemory.getLong(request + VerbsLayout.SEND_WR_ID));
            request = next(request);
        }
        assertEquals(0, request);
    }

    @Test
    void full_batch_refusesOneMore_andWorksAfterClear() {
        batch.send(1).send(2).send(3).send(4);
        assertTrue(batch.isFull());
        assertThrows(IllegalStateException.class, () -> batch.send(5));
        batch.clear();
        assertEquals(0, batch.count());
        assertThrows(IllegalStateException.class, batch::signalled);
        assertEquals(0, next(batch.send(6).chain()));
    }

    private void refuseAt(long request) {
        batch.memory().set(ValueLayout.JAVA_LONG, 0, request);
    }

    @Test
    void posted_withAFullQueue_keepsTheRest() {
        batch.send(1).read(2, PEER, KEY).write(3, PEER, KEY);
        refuseAt(next(next(batch.chain())));
        assertEquals(2, batch.posted(-ENOMEM));
        assertEquals(1, batch.count());
        assertEquals(3, NativeMemory.getLong(batch.chain() + VerbsLayout.SEND_WR_ID));
        // The read has gone, so the rest fits an unreliable connection.
        batch.check(QueuePairSettings.of(QueuePairType.UC));
        assertEquals(1, batch.posted(0));
        assertEquals(0, batch.count());
    }

    @Test
    void posted_refusedForAnotherReason_throwsWithTheIndex() {
        batch.send(1).send(2);
        refuseAt(next(batch.chain()));
        RdmaException failure = assertThrows(RdmaException.class, () -> batch.posted(EINVAL));
        assertEquals("ibv_post_send of request 1 of 2 failed: EINVAL (22)", failure.getMessage());
        assertEquals(0, batch.count());
    }

    @Test
    void check_ofWhatAQueuePairCannotHave_refuses() {
        QueuePairSettings reliable = QueuePairSettings.of(QueuePairType.RC);
        QueuePairSettings unreliable = QueuePairSettings.of(QueuePairType.UC);
        QueuePairSettings datagrams = QueuePairSettings.of(QueuePairType.UD);
        batch.read(1, PEER, KEY);
        batch.check(reliable);
        assertThrows(IllegalArgumentException.class, () -> batch.check(unreliable));
        assertThrows(IllegalArgumentException.class, () -> batch.check(datagrams));
        batch.clear();
        batch.write(1, PEER, KEY);
        batch.check(unreliable);
        batch.clear();
        batch.send(1);
        // A datagram without an address handle would be a null pointer to the provider.
        assertThrows(IllegalArgumentException.class, () -> batch.check(datagrams));
        batch.inline(bytes(8), 0, 8);
        assertThrows(IllegalArgumentException.class, () -> batch.check(reliable));
        batch.check(reliable.withInlineBytes(8));
    }

    @Test
    void receives_areLinked_andNeedNoMemory() {
        ReceiveBatch receives = new ReceiveBatch(2, 0);
        receives.receive(7).receive(8);
        long first = receives.chain();
        long second = NativeMemory.getLong(first + VerbsLayout.RECV_NEXT);
        assertEquals(8, NativeMemory.getLong(second + VerbsLayout.RECV_WR_ID));
        assertEquals(0, NativeMemory.getLong(second + VerbsLayout.RECV_NEXT));
        assertEquals(0, NativeMemory.getInt(first + VerbsLayout.RECV_NUM_SGE));
        assertFalse(new ReceiveBatch(3, 1).receive(1).isFull());
    }
}
