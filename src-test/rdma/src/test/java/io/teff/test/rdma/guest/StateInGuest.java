package io.teff.test.rdma.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.RdmaException;
import io.teff.rdma.verbs.device.Access;
import io.teff.rdma.verbs.device.AsyncEvent;
import io.teff.rdma.verbs.device.AsyncEventType;
import io.teff.rdma.verbs.queue.CompletionOperation;
import io.teff.rdma.verbs.queue.CompletionStatus;
import io.teff.rdma.verbs.queue.QueuePairChange;
import io.teff.rdma.verbs.queue.QueuePairInfo;
import io.teff.rdma.verbs.queue.QueuePairSettings;
import io.teff.rdma.verbs.queue.QueuePairState;
import io.teff.rdma.verbs.queue.QueuePairType;
import org.junit.jupiter.api.Test;

/** The states of a queue pair, and what each of them allows. */
final class StateInGuest {
    private static final QueuePairSettings RC = QueuePairSettings.of(QueuePairType.RC);

    @Test
    void moves_fromResetToRts_areSeenByTheDevice() {
        try (Side left = new Side(Guest.left(), RC); Side right = new Side(Guest.right(), RC)) {
            assertEquals(QueuePairState.RESET, left.pair.state());
            left.sends.send(1);
            IllegalStateException failure = assertThrows(IllegalStateException.class, left::post);
            assertTrue(failure.getMessage().contains("RESET"), failure.getMessage());
            left.receives.receive(1).add(left.region, 0, 8);
            assertThrows(IllegalStateException.class, () -> left.pair.post(left.receives));
            left.pair.initialize(Guest.PORT, Access.REMOTE_READ);
            assertEquals(QueuePairState.INIT, left.pair.state());
            assertEquals(1, left.pair.post(left.receives));
            assertThrows(IllegalStateException.class, left::post);
            right.pair.initialize(Guest.PORT);
            left.pair.connect(left.address(10), right.address(20), Guest.PORT, Guest.address(left.context).index(),
                Link.PATIENT);
            QueuePairInfo info = left.pair.query();
            assertEquals(QueuePairState.RTS, info.state());
            assertEquals(right.pair.number(), info.peerNumber());
            assertEquals(20, info.receiveSequence());
            assertEquals(10, info.sendSequence());
            assertEquals(Access.REMOTE_READ.mask(), info.accessMask() & ~Access.LOCAL_WRITE.mask());
            assertEquals(left.pair.settings().sendRequests(), info.settings().sendRequests());
        }
    }

    @Test
    void move_thatDoesNotExist_isRefusedByName() {
        try (Side side = new Side(Guest.left(), RC)) {
            IllegalStateException failure = assertThrows(IllegalStateException.class,
                () -> side.pair.modify(QueuePairChange.to(QueuePairState.RTS)));
            assertEquals("a queue pair cannot move from RESET to RTS", failure.getMessage());
            // A legal move without its attributes reaches the device, which refuses it.
            assertThrows(RdmaException.class, () -> side.pair.modify(QueuePairChange.to(QueuePairState.INIT)));
            assertEquals(QueuePairState.RESET, side.pair.state());
        }
    }

    @Test
    void drained_queuePair_sendsNothing_untilItIsReadyAgain() {
        try (Link link = Link.of(QueuePairType.RC)) {
            link.left.sends.write(1, link.right.region.address(), link.right.region.remoteKey())
                .add(link.left.region, 0, 8).signalled();
            link.left.post();
            link.left.await(1, CompletionOperation.RDMA_WRITE);
            link.left.pair.modify(QueuePairChange.to(QueuePairState.SQD));
            assertEquals(QueuePairState.SQD, link.left.pair.state());
            AsyncEvent event = link.left.context.awaitEvent(Guest.PATIENCE_NS);
            assertNotNull(event);
            assertEquals(AsyncEventType.SQ_DRAINED, event.type());
            assertSame(link.left.pair, event.source());
            link.left.fill(0, 64, 9);
            link.left.sends.write(2, link.right.region.address() + 64, link.right.region.remoteKey())
                .add(link.left.region, 0, 64).signalled();
            link.left.post();
            assertEquals(0, link.left.queue.await(link.left.one, Guest.MOMENT_NS));
            link.left.pair.modify(QueuePairChange.to(QueuePairState.RTS));
            link.left.sends.write(3, link.right.region.address(), link.right.region.remoteKey())
                .add(link.left.region, 0, 8).signalled();
            link.left.post();
            link.left.await(2, CompletionOperation.RDMA_WRITE);
            link.left.await(3, CompletionOperation.RDMA_WRITE);
            link.right.hasBytesOf(link.left, 0, 64, 64);
        }
    }

    @Test
    void failed_queuePair_flushesAllRequests_andWorksAfterReset() {
        try (Link link = Link.of(QueuePairType.RC)) {
            for (int i = 0; i < 3; i++) {
                link.left.receive(i, 0, 8);
            }
            link.left.pair.fail();
            assertEquals(QueuePairState.ERR, link.left.pair.state());
            for (int i = 0; i < 3; i++) {
                link.left.awaitFailure(i, CompletionStatus.WR_FLUSH_ERR);
            }
            // Requests that are posted now are flushed at once.
            link.left.sends.send(7).signalled();
            link.left.post();
            link.left.awaitFailure(7, CompletionStatus.WR_FLUSH_ERR);
            link.left.pair.reset();
            link.right.pair.reset();
            assertEquals(QueuePairState.RESET, link.left.pair.state());
            Side.connect(link.left, link.right, Link.PATIENT);
            link.right.receive(1, 0, 8);
            link.left.sends.send(2).add(link.left.region, 0, 8).signalled();
            link.left.post();
            link.right.await(1, CompletionOperation.RECEIVE);
            link.left.await(2, CompletionOperation.SEND);
        }
    }
}
