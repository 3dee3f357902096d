package io.teff.test.rdma.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.verbs.queue.CompletionOperation;
import io.teff.rdma.verbs.queue.Completions;
import io.teff.rdma.verbs.queue.QueuePairSettings;
import io.teff.rdma.verbs.queue.QueuePairType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every operation of a reliable connection, with the bytes that it moves. */
final class ReliableInGuest {
    private static final int WIDE = 65_536;
    private Link link;
    private Side left;
    private Side right;

    @BeforeEach
    void connect() {
        link = Link.of(QueuePairSettings.of(QueuePairType.RC).withSegments(4, 4), Link.PATIENT);
        left = link.left;
        right = link.right;
    }

    @AfterEach
    void close() {
        link.close();
    }

    @Test
    void send_of4096Bytes_fillsTheReceive() {
        left.fill(0, 4096, 7);
        right.receive(11, 8192, 4096);
        left.sends.send(12).add(left.region, 0, 4096).signalled();
        left.post();
        right.await(11, CompletionOperation.RECEIVE);
        assertEquals(4096, right.one.byteCount(0));
        assertEquals(right.pair.number(), right.one.queuePairNumber(0));
        assertFalse(right.one.hasImmediate(0));
        right.hasBytesOf(left, 0, 8192, 4096);
        left.await(12, CompletionOperation.SEND);
    }

    @Test
    void send_withoutBytes_completesTheReceive() {
        right.receive(1, 0, 100);
        left.sends.send(2).signalled();
        left.post();
        right.await(1, CompletionOperation.RECEIVE);
        assertEquals(0, right.one.byteCount(0));
        left.await(2, CompletionOperation.SEND);
    }

    @Test
    void send_withImmediate_bringsIt() {
        left.fill(0, 64, 1);
        right.receive(13, 8192, 64);
        left.sends.sendImmediate(14, 0x8102_0304).add(left.region, 0, 64).signalled();
        left.post();
        right.await(13, CompletionOperation.RECEIVE);
        assertTrue(right.one.hasImmediate(0));
        assertEquals(0x8102_0304, right.one.immediate(0));
        right.hasBytesOf(left, 0, 8192, 64);
    }

    @Test
    void write_ofManyPackets_changesThePeersMemory() {
        left.fill(0, WIDE, 99);
        left.sends.write(15, right.region.address() + 131_072, right.region.remoteKey()).add(left.region, 0, WIDE)
            .signalled();
        left.post();
        left.await(15, CompletionOperation.RDMA_WRITE);
        right.hasBytesOf(left, 0, 131_072, WIDE);
    }

    @Test
    void write_withImmediate_usesAReceiveUp() {
        left.fill(0, 1000, 5);
        right.receives.receive(16);
        assertEquals(1, right.pair.post(right.receives));
        left.sends.writeImmediate(17, right.region.address() + 77, right.region.remoteKey(), 42)
            .add(left.region, 0, 1000).signalled();
        left.post();
        right.await(16, CompletionOperation.RECEIVE_RDMA_WITH_IMMEDIATE);
        assertEquals(42, right.one.immediate(0));
        right.hasBytesOf(left, 0, 77, 1000);
        left.await(17, CompletionOperation.RDMA_WRITE);
    }

    @Test
    void read_ofManyPackets_bringsThePeersMemory() {
        right.fill(131_072, WIDE, 3);
        left.sends.read(18, right.region.address() + 131_072, right.region.remoteKey()).add(left.region, 4096, WIDE)
            .signalled();
        left.post();
        left.await(18, CompletionOperation.RDMA_READ);
        left.hasBytesOf(right, 131_072, 4096, WIDE);
    }

    @Test
    void compareAndSwap_ofAnExpectedValue_swaps_ofAnother_leavesIt() {
        right.memory().set(ValueLayout.JAVA_LONG, 4096, 1000);
        long address = right.region.address() + 4096;
        left.sends.compareAndSwap(19, address, right.region.remoteKey(), 1000, 2000).add(left.region, 0, 8).signalled();
        left.post();
        left.await(19, CompletionOperation.COMPARE_AND_SWAP);
        assertEquals(1000, left.memory().get(ValueLayout.JAVA_LONG, 0));
        assertEquals(2000, right.memory().get(ValueLayout.JAVA_LONG, 4096));
        left.sends.compareAndSwap(20, address, right.region.remoteKey(), 1000, 3000).add(left.region, 0, 8).signalled();
        left.post();
        left.await(20, CompletionOperation.COMPARE_AND_SWAP);
        assertEquals(2000, left.memory().get(ValueLayout.JAVA_LONG, 0));
        assertEquals(2000, right.memory().get(ValueLayout.JAVA_LONG, 4096));
    }

    @Test
    void fetchAndAdd_ofAChain_addsEachOnce() {
        right.memory().set(ValueLayout.JAVA_LONG, 64, 10);
        for (int i = 0; i < 20; i++) {
            left.sends.fetchAndAdd(i, right.region.address() + 64, right.region.remoteKey(), 3)
                .add(left.region, i * 8L, 8);
        }
        left.sends.signalled();
        left.post();
        left.await(19, CompletionOperation.FETCH_AND_ADD);
        assertEquals(70, right.memory().get(ValueLayout.JAVA_LONG, 64));
        for (int i = 0; i < 20; i++) {
            assertEquals(10 + 3 * i, left.memory().get(ValueLayout.JAVA_LONG, i * 8L));
        }
    }

    @Test
    void segments_ofBothSides_areGatheredAndScattered() {
        left.fill(0, 300, 9);
        right.receives.receive(1).add(right.region, 1000, 50).add(right.region, 5000, 250);
        right.pair.post(right.receives);
        left.sends.send(2).add(left.region, 200, 100).add(left.region, 0, 100).add(left.region, 100, 100).signalled();
        left.post();
        right.await(1, CompletionOperation.RECEIVE);
        assertEquals(300, right.one.byteCount(0));
        right.hasBytesOf(left, 200, 1000, 50);
        right.hasBytesOf(left, 250, 5000, 50);
        right.hasBytesOf(left, 0, 5050, 200);
    }

    /** Without signals there is one completion for a chain; the device has done the requests before it, too. */
    @Test
    void chain_withOneSignal_hasOneCompletion() {
        left.fill(0, 1600, 1);
        for (int i = 0; i < 16; i++) {
            left.sends.write(i, right.region.address() + i * 200L, right.region.remoteKey())
                .add(left.region, i * 100L, 100);
        }
        left.sends.signalled();
        left.post();
        left.await(15, CompletionOperation.RDMA_WRITE);
        for (int i = 0; i < 16; i++) {
            right.hasBytesOf(left, i * 100L, i * 200L, 100);
        }
        assertEquals(0, left.queue.poll(left.one));
    }

    @Test
    void settings_withAllSignalled_completeEachSend() {
        try (Link other = Link.of(QueuePairSettings.of(QueuePairType.RC).withAllSignalled(true), Link.PATIENT)) {
            for (int i = 0; i < 5; i++) {
                other.left.sends.write(i, other.right.region.address(), other.right.region.remoteKey())
                    .add(other.left.region, 0, 8);
            }
            other.left.post();
            for (int i = 0; i < 5; i++) {
                other.left.await(i, CompletionOperation.RDMA_WRITE);
            }
        }
    }

    /** A fence lets a write wait for the read before it, so the write may take what the read has brought. */
    @Test
    void write_behindAFence_hasWhatTheReadBrought() {
        right.fill(0, 4096, 77);
        left.sends.read(1, right.region.address(), right.region.remoteKey()).add(left.region, 0, 4096)
            .write(2, right.region.address() + 8192, right.region.remoteKey()).add(left.region, 0, 4096).fenced()
            .signalled();
        left.post();
        left.await(2, CompletionOperation.RDMA_WRITE);
        right.hasBytesOf(right, 0, 8192, 4096);
    }

    /** A device without inline data grants none; a batch with inline data is then refused before it is posted. */
    @Test
    void inline_data_isSentOrRefusedBeforeItIsPosted() {
        QueuePairSettings wanted = QueuePairSettings.of(QueuePairType.RC).withInlineBytes(32);
        try (Link other = Link.of(wanted, Link.PATIENT)) {
            MemorySegment heap = MemorySegment.ofArray("written by the processor".getBytes(
                StandardCharsets.UTF_8));
            int length = (int) heap.byteSize();
            other.left.sends.send(1).inline(heap, 0, length).signalled();
            if (other.left.pair.settings().inlineBytes() < length) {
                assertThrows(IllegalArgumentException.class, other.left::post);
                return;
            }
            other.right.receive(2, 0, 100);
            other.left.post();
            heap.fill((byte) 0);                                // the batch has its own copy
            other.right.await(2, CompletionOperation.RECEIVE);
            assertEquals("written by the processor",
                new String(other.right.memory().asSlice(0, length).toArray(ValueLayout.JAVA_BYTE),
                    StandardCharsets.UTF_8));
        }
    }

    @Test
    void poll_ofManyCompletions_takesThemTogether_inOrder() {
        for (int i = 0; i < 10; i++) {
            right.receives.receive(i).add(right.region, i * 64L, 64);
        }
        assertEquals(10, right.pair.post(right.receives));
        for (int i = 0; i < 10; i++) {
            left.sends.send(100 + i).add(left.region, 0, i + 1);
        }
        left.sends.signalled();
        left.post();
        left.await(109, CompletionOperation.SEND);
        Completions many = new Completions(16);
        int seen = 0;
        while (seen < 10) {
            int count = right.queue.await(many, Guest.PATIENCE_NS);
            assertTrue(count > 0, "no completion");
            for (int i = 0; i < count; i++) {
                assertEquals(seen, many.workId(i));
                assertEquals(seen + 1, many.byteCount(i));
                seen++;
            }
        }
        assertThrows(IndexOutOfBoundsException.class, () -> many.workId(many.count()));
    }

    /** Sends without a receive stay in the queue until it is full; the rest stays in the batch, and is posted later. */
    @Test
    void post_toAFullQueue_takesAPart_andTheRestLater() {
        int room = left.pair.settings().sendRequests();
        int posted = 0;
        while (left.sends.count() == 0 && posted <= room) {
            while (!left.sends.isFull()) {
                left.sends.send(1).add(left.region, 0, 8).signalled();
            }
            int before = left.sends.count();
            int taken = left.pair.post(left.sends);
            assertEquals(before - taken, left.sends.count());
            posted += taken;
        }
        assertTrue(left.sends.count() > 0, "the queue of " + room + " was never full");
        assertTrue(posted >= room, "posted=" + posted);
        int total = posted + left.sends.count();
        for (int i = 0; i < total; i++) {
            right.receive(2, 0, 8);
            right.await(2, CompletionOperation.RECEIVE);
            left.await(1, CompletionOperation.SEND);
            posted += left.pair.post(left.sends);
        }
        assertEquals(total, posted);
        assertEquals(0, left.sends.count());
    }
}
