package io.teff.test.rdma.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.teff.rdma.verbs.device.Access;
import io.teff.rdma.verbs.device.MemoryRegion;
import io.teff.rdma.verbs.device.ProtectionDomain;
import io.teff.rdma.verbs.device.RdmaContext;
import io.teff.rdma.verbs.queue.CompletionChannel;
import io.teff.rdma.verbs.queue.CompletionOperation;
import io.teff.rdma.verbs.queue.CompletionQueue;
import io.teff.rdma.verbs.queue.CompletionStatus;
import io.teff.rdma.verbs.queue.Completions;
import io.teff.rdma.verbs.queue.ConnectSettings;
import io.teff.rdma.verbs.queue.QueuePair;
import io.teff.rdma.verbs.queue.QueuePairAddress;
import io.teff.rdma.verbs.queue.QueuePairSettings;
import io.teff.rdma.verbs.queue.ReceiveBatch;
import io.teff.rdma.verbs.queue.SendBatch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** One end of a connection: device, memory, queues, a queue pair, and batches to fill them. */
final class Side implements AutoCloseable {
    static final int BYTES = 1 << 20;
    static final Access[] ALL = {Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC};

    final RdmaContext context;
    final ProtectionDomain domain;
    final CompletionChannel channel;
    final CompletionQueue queue;
    final MemoryRegion region;
    final QueuePair pair;
    final Completions one = new Completions(1);
    final SendBatch sends = new SendBatch(64, 4, 64);
    final ReceiveBatch receives = new ReceiveBatch(64, 4);

    Side(String device, QueuePairSettings settings) {
        context = Guest.open(device);
        domain = context.allocateDomain();
        channel = CompletionChannel.create(context);
        queue = CompletionQueue.create(context, 256, channel);
        region = domain.allocate(BYTES, ALL);
        pair = QueuePair.create(domain, settings, queue, queue);
    }

    /** Connects two sides, which are in the state RESET. */
    static void connect(Side left, Side right, ConnectSettings settings) {
        left.pair.initialize(Guest.PORT, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
        right.pair.initialize(Guest.PORT, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
        QueuePairAddress leftAddress = left.address(1000);
        QueuePairAddress rightAddress = right.address(2000);
        left.pair.connect(leftAddress, rightAddress, Guest.PORT, Guest.address(left.context).index(), settings);
        right.pair.connect(rightAddress, leftAddress, Guest.PORT, Guest.address(right.context).index(), settings);
    }

    QueuePairAddress address(int sequence) {
        return QueuePairAddress.of(pair, Guest.PORT, Guest.address(context).index(), sequence);
    }

    MemorySegment memory() {
        return region.memory();
    }

    /** Fills a part of the memory with bytes that depend on a seed. */
    void fill(long offset, int length, int seed) {
        for (int i = 0; i < length; i++) {
            memory().set(ValueLayout.JAVA_BYTE, offset + i, (byte) (i * 31 + seed));
        }
    }

    /** Checks that a part of the memory has the bytes of another side. */
    void hasBytesOf(Side other, long otherOffset, long offset, int length) {
        assertEquals(-1, MemorySegment.mismatch(other.memory(), otherOffset, otherOffset + length, memory(), offset,
            offset + length));
    }

    void receive(long workId, long offset, int length) {
        receives.receive(workId).add(region, offset, length);
        assertEquals(1, pair.post(receives));
    }

    /** Posts the batch, of which all must be taken. */
    void post() {
        int count = sends.count();
        assertEquals(count, pair.post(sends));
    }

    /** Waits for one completion, and leaves it in {@link #one}. */
    Side await() {
        assertEquals(1, queue.await(one, Guest.PATIENCE_NS), "no completion");
        return this;
    }

    /** Waits for one completion, which must have succeeded. */
    void await(long workId, CompletionOperation operation) {
        await();
        assertNull(one.failure(0));
        assertEquals(workId, one.workId(0));
        assertEquals(operation, one.operation(0));
    }

    /** Waits for one completion, which must have failed like this. */
    void awaitFailure(long workId, CompletionStatus status) {
        await();
        assertEquals(status, one.status(0));
        assertEquals(workId, one.workId(0));
        assertEquals(status, one.failure(0).status());
    }

    @Override
    public void close() {
        context.close();
    }
}
