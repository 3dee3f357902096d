package io.teff.test.rdma.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.verbs.device.AddressHandle;
import io.teff.rdma.verbs.device.AsyncEvent;
import io.teff.rdma.verbs.device.AsyncEventType;
import io.teff.rdma.verbs.device.PathAddress;
import io.teff.rdma.verbs.queue.CompletionOperation;
import io.teff.rdma.verbs.queue.QueuePair;
import io.teff.rdma.verbs.queue.QueuePairSettings;
import io.teff.rdma.verbs.queue.QueuePairState;
import io.teff.rdma.verbs.queue.QueuePairType;
import io.teff.rdma.verbs.queue.ReceiveBatch;
import io.teff.rdma.verbs.queue.SharedReceiveQueue;
import org.junit.jupiter.api.Test;

/** Unreliable connections, datagrams, and shared receive queues. */
final class OtherServicesInGuest {
    private static final int QUEUE_KEY = 0x1111_1111;
    private static final int HEADER_BYTES = 40;

    @Test
    void unreliable_connection_sendsAndWrites_butDoesNotRead() {
        try (Link link = Link.of(QueuePairType.UC)) {
            link.left.fill(0, 10_000, 4);
            link.right.receive(1, 0, 10_000);
            link.left.sends.send(2).add(link.left.region, 0, 10_000).signalled();
            link.left.post();
            link.right.await(1, CompletionOperation.RECEIVE);
            link.right.hasBytesOf(link.left, 0, 0, 10_000);
            link.left.await(2, CompletionOperation.SEND);
            link.right.receives.receive(3);
            link.right.pair.post(link.right.receives);
            link.left.sends.writeImmediate(4, link.right.region.address() + 50_000, link.right.region.remoteKey(), 9)
                .add(link.left.region, 0, 10_000).signalled();
            link.left.post();
            link.right.await(3, CompletionOperation.RECEIVE_RDMA_WITH_IMMEDIATE);
            link.right.hasBytesOf(link.left, 0, 50_000, 10_000);
            link.left.sends.read(5, link.right.region.address(), link.right.region.remoteKey())
                .add(link.left.region, 0, 8);
            assertThrows(IllegalArgumentException.class, link.left::post);
        }
    }

    @Test
    void datagrams_areSentToAnAddress_withAHeader_andAnswered() {
        QueuePairSettings settings = QueuePairSettings.of(QueuePairType.UD);
        try (Side left = new Side(Guest.left(), settings); Side right = new Side(Guest.right(), settings)) {
            left.pair.activate(Guest.PORT, QUEUE_KEY, 1);
            right.pair.activate(Guest.PORT, QUEUE_KEY, 2);
            assertEquals(QueuePairState.RTS, left.pair.state());
            AddressHandle toRight = left.domain.createAddressHandle(PathAddress.of(Guest.address(right.context).gid(),
                Guest.PORT, Guest.address(left.context).index()));
            AddressHandle toLeft = right.domain.createAddressHandle(PathAddress.of(Guest.address(left.context).gid(),
                Guest.PORT, Guest.address(right.context).index()));
            left.fill(0, 1000, 6);
            right.receive(1, 0, 1000 + HEADER_BYTES);
            left.sends.sendImmediate(2, 77).add(left.region, 0, 1000).signalled()
                .to(toRight, right.pair.number(), QUEUE_KEY);
            left.post();
            right.await(1, CompletionOperation.RECEIVE);
            assertTrue(right.one.hasHeader(0) && right.one.hasImmediate(0));
            assertEquals(1000 + HEADER_BYTES, right.one.byteCount(0));
            assertEquals(77, right.one.immediate(0));
            assertEquals(left.pair.number(), right.one.sourceQueuePairNumber(0));
            right.hasBytesOf(left, 0, HEADER_BYTES, 1000);
            left.await(2, CompletionOperation.SEND);
            int source = right.one.sourceQueuePairNumber(0);
            left.receive(3, 0, 100);
            right.sends.send(4).add(right.region, 0, 10).to(toLeft, source, QUEUE_KEY);
            right.post();
            left.await(3, CompletionOperation.RECEIVE);
        }
    }

    /** The library reads the struct of the handle while it posts, so one that was freed must not get there. */
    @Test
    void datagram_withAClosedOrForeignHandle_isRefused() {
        QueuePairSettings settings = QueuePairSettings.of(QueuePairType.UD);
        try (Side left = new Side(Guest.left(), settings)) {
            left.pair.activate(Guest.PORT, QUEUE_KEY, 1);
            PathAddress path = PathAddress.of(Guest.address(left.context).gid(), Guest.PORT,
                Guest.address(left.context).index());
            AddressHandle handle = left.domain.createAddressHandle(path);
            left.sends.send(1).to(handle, left.pair.number(), QUEUE_KEY);
            handle.close();
            assertThrows(IllegalStateException.class, left::post);
            left.sends.clear();
            AddressHandle foreign = left.context.allocateDomain().createAddressHandle(path);
            left.sends.send(1).to(foreign, left.pair.number(), QUEUE_KEY);
            assertThrows(IllegalStateException.class, left::post);
            left.sends.clear();
            left.sends.send(1);
            assertThrows(IllegalArgumentException.class, left::post);
        }
    }

    @Test
    void datagram_withAnotherKey_isDropped() {
        QueuePairSettings settings = QueuePairSettings.of(QueuePairType.UD);
        try (Side left = new Side(Guest.left(), settings)) {
            left.pair.activate(Guest.PORT, QUEUE_KEY, 1);
            AddressHandle handle = left.domain.createAddressHandle(PathAddress.of(Guest.address(left.context).gid(),
                Guest.PORT, Guest.address(left.context).index()));
            left.receive(1, 0, 1000);
            left.sends.send(2).add(left.region, 2000, 10).signalled().to(handle, left.pair.number(), QUEUE_KEY + 1);
            left.post();
            left.await(2, CompletionOperation.SEND);
            assertEquals(0, left.queue.await(left.one, Guest.MOMENT_NS));
        }
    }

    @Test
    void sharedQueue_servesTwoQueuePairs_andTellsItsLimit() {
        QueuePairSettings settings = QueuePairSettings.of(QueuePairType.RC);
        try (Side left = new Side(Guest.left(), settings); Side right = new Side(Guest.right(), settings)) {
            SharedReceiveQueue shared = SharedReceiveQueue.create(right.domain, 16, 1);
            assertTrue(shared.requests() >= 16 && shared.segments() >= 1);
            ReceiveBatch batch = new ReceiveBatch(16, 1);
            for (int i = 0; i < 8; i++) {
                batch.receive(i).add(right.region, i * 100L, 100);
            }
            assertEquals(8, shared.post(batch));
            shared.setLimit(5);
            assertEquals(5, shared.limit());
            for (int i = 0; i < 2; i++) {
                QueuePair source = QueuePair.create(left.domain, settings, left.queue, left.queue);
                QueuePair target = QueuePair.create(right.domain, settings, right.queue, right.queue, shared);
                connect(left, source, right, target);
                for (int k = 0; k < 3; k++) {
                    left.sends.send(k).add(left.region, 0, 10);
                }
                left.sends.signalled();
                assertEquals(3, source.post(left.sends));
                left.await(2, CompletionOperation.SEND);
                for (int k = 0; k < 3; k++) {
                    right.await(i * 3L + k, CompletionOperation.RECEIVE);
                    assertEquals(target.number(), right.one.queuePairNumber(0));
                }
                right.receives.receive(99).add(right.region, 0, 1);
                assertThrows(IllegalStateException.class, () -> target.post(right.receives));
            }
            AsyncEvent event = right.context.awaitEvent(Guest.PATIENCE_NS);
            assertNotNull(event);
            assertEquals(AsyncEventType.SRQ_LIMIT_REACHED, event.type());
            assertSame(shared, event.source());
            assertEquals(0, shared.limit());
            shared.close();
            assertNull(right.context.awaitEvent(0));
            assertThrows(IllegalStateException.class, () -> shared.post(batch.receive(1)));
        }
    }

    @Test
    void sharedQueue_tellsWhenAFailedQueuePairUsesItNoMore() {
        QueuePairSettings settings = QueuePairSettings.of(QueuePairType.RC);
        try (Side left = new Side(Guest.left(), settings); Side right = new Side(Guest.right(), settings)) {
            SharedReceiveQueue shared = SharedReceiveQueue.create(right.domain, 16, 1);
            QueuePair source = QueuePair.create(left.domain, settings, left.queue, left.queue);
            QueuePair target = QueuePair.create(right.domain, settings, right.queue, right.queue, shared);
            connect(left, source, right, target);
            assertNull(right.context.awaitEvent(0));
            assertFalse(target.isLastReceiveReached());
            target.fail();
            AsyncEvent event = right.context.awaitEvent(Guest.PATIENCE_NS);
            assertNotNull(event);
            assertEquals(AsyncEventType.QP_LAST_WQE_REACHED, event.type());
            assertSame(target, event.source());
            assertTrue(target.isLastReceiveReached());
        }
    }

    @Test
    void sharedQueue_thatIsFull_takesAPart() {
        try (Side side = new Side(Guest.left(), QueuePairSettings.of(QueuePairType.RC))) {
            SharedReceiveQueue shared = SharedReceiveQueue.create(side.domain, 16, 1);
            int room = shared.requests();
            ReceiveBatch batch = new ReceiveBatch(room + 10, 1);
            for (int i = 0; i < room + 10; i++) {
                batch.receive(i).add(side.region, 0, 8);
            }
            int taken = shared.post(batch);
            assertTrue(taken >= 16 && taken < room + 10, () -> "taken=" + taken);
            assertEquals(room + 10 - taken, batch.count());
        }
    }

    private static void connect(Side left, QueuePair source, Side right, QueuePair target) {
        source.initialize(Guest.PORT);
        target.initialize(Guest.PORT);
        source.connect(PathAddress.of(Guest.address(right.context).gid(), Guest.PORT,
            Guest.address(left.context).index()), target.number(), 5, 6, Link.PATIENT);
        target.connect(PathAddress.of(Guest.address(left.context).gid(), Guest.PORT,
            Guest.address(right.context).index()), source.number(), 6, 5, Link.PATIENT);
    }
}
