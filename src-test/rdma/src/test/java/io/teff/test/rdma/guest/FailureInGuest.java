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
import io.teff.rdma.verbs.device.MemoryRegion;
import io.teff.rdma.verbs.device.PathAddress;
import io.teff.rdma.verbs.queue.CompletionOperation;
import io.teff.rdma.verbs.queue.CompletionQueue;
import io.teff.rdma.verbs.queue.CompletionStatus;
import io.teff.rdma.verbs.queue.QueuePair;
import io.teff.rdma.verbs.queue.QueuePairSettings;
import io.teff.rdma.verbs.queue.QueuePairState;
import io.teff.rdma.verbs.queue.QueuePairType;
import io.teff.rdma.verbs.queue.SharedReceiveQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Requests that fail, by name: the process lives, and the other objects work on. */
final class FailureInGuest {
    private static final QueuePairSettings RC = QueuePairSettings.of(QueuePairType.RC);

    @Test
    void write_withAWrongKey_isRefusedByThePeer() {
        try (Link link = Link.of(RC, Link.HASTY)) {
            link.right.memory().set(ValueLayout.JAVA_LONG, 0, 5);
            link.left.sends.write(40, link.right.region.address(), link.right.region.remoteKey() + 1)
                .add(link.left.region, 0, 8).signalled();
            link.left.post();
            link.left.awaitFailure(40, CompletionStatus.REM_ACCESS_ERR);
            assertEquals(5, link.right.memory().get(ValueLayout.JAVA_LONG, 0));
            assertEquals(QueuePairState.ERR, link.left.pair.state());
        }
    }

    @Test
    void read_beyondTheRegion_isRefusedByThePeer() {
        try (Link link = Link.of(RC, Link.HASTY)) {
            link.left.sends.read(41, link.right.region.address() + Side.BYTES - 4, link.right.region.remoteKey())
                .add(link.left.region, 0, 8).signalled();
            link.left.post();
            link.left.awaitFailure(41, CompletionStatus.REM_ACCESS_ERR);
        }
    }

    @Test
    void write_toARegionWithoutTheRight_isRefusedByThePeer() {
        try (Link link = Link.of(RC, Link.HASTY)) {
            MemoryRegion readable = link.right.domain.allocate(4096, Access.REMOTE_READ);
            link.left.sends.write(42, readable.address(), readable.remoteKey()).add(link.left.region, 0, 8).signalled();
            link.left.post();
            link.left.awaitFailure(42, CompletionStatus.REM_ACCESS_ERR);
        }
    }

    @Test
    void read_ofARegionThatWasClosed_isRefusedByThePeer() {
        try (Link link = Link.of(RC, Link.HASTY)) {
            MemoryRegion closed = link.right.domain.allocate(4096, Access.REMOTE_READ);
            closed.close();
            link.left.sends.read(43, closed.address(), closed.remoteKey()).add(link.left.region, 0, 8).signalled();
            link.left.post();
            link.left.awaitFailure(43, CompletionStatus.REM_ACCESS_ERR);
        }
    }

    @Test
    void segment_ofAClosedRegionOrArena_orBeyondTheEnd_isRefusedAtOnce() {
        try (Link link = Link.of(RC, Link.HASTY)) {
            link.left.sends.send(1);
            assertThrows(IndexOutOfBoundsException.class,
                () -> link.left.sends.add(link.left.region, Side.BYTES - 4, 8));
            MemoryRegion closed = link.left.domain.allocate(64, Access.LOCAL_WRITE);
            closed.close();
            assertThrows(IllegalStateException.class, () -> link.left.sends.add(closed, 0, 8));
            MemoryRegion orphan;
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment memory = arena.allocate(64);
                orphan = link.left.domain.register(memory, Access.LOCAL_WRITE);
            }
            assertThrows(IllegalStateException.class, () -> link.left.sends.add(orphan, 0, 8));
        }
    }

    @Test
    void receive_intoAReadOnlyRegion_fails() {
        try (Link link = Link.of(RC, Link.HASTY)) {
            MemoryRegion readable = link.right.domain.allocate(4096);
            link.right.receives.receive(1).add(readable, 0, 8);
            link.right.pair.post(link.right.receives);
            link.left.sends.send(2).add(link.left.region, 0, 8).signalled();
            link.left.post();
            link.right.await();
            assertTrue(link.right.one.status(0) == CompletionStatus.LOC_PROT_ERR
                || link.right.one.status(0) == CompletionStatus.LOC_QP_OP_ERR, () -> "" + link.right.one.failure(0));
            link.left.await();
            assertEquals(CompletionStatus.REM_OP_ERR, link.left.one.status(0));
        }
    }

    @Test
    void send_longerThanTheReceive_failsOnBothSides() {
        try (Link link = Link.of(RC, Link.HASTY)) {
            link.right.receive(1, 0, 100);
            link.left.sends.send(2).add(link.left.region, 0, 200).signalled();
            link.left.post();
            link.right.await();
            assertTrue(link.right.one.status(0) == CompletionStatus.LOC_LEN_ERR
                || link.right.one.status(0) == CompletionStatus.LOC_QP_OP_ERR, () -> "" + link.right.one.failure(0));
            link.left.await();
            CompletionStatus status = link.left.one.status(0);
            assertTrue(status == CompletionStatus.REM_INV_REQ_ERR || status == CompletionStatus.REM_OP_ERR,
                status::toString);
        }
    }

    @Test
    void send_withoutAReceive_failsAfterItsRetries() {
        try (Link link = Link.of(RC, Link.HASTY)) {
            link.left.sends.send(3).add(link.left.region, 0, 8).signalled();
            link.left.post();
            link.left.awaitFailure(3, CompletionStatus.RNR_RETRY_EXC_ERR);
        }
    }

    /** With retries for ever, the send waits for the receive. */
    @Test
    void send_beforeTheReceive_arrivesWhenItIsPosted() {
        try (Link link = Link.of(QueuePairType.RC)) {
            link.left.fill(0, 8, 3);
            link.left.sends.send(4).add(link.left.region, 0, 8).signalled();
            link.left.post();
            assertEquals(0, link.left.queue.await(link.left.one, Guest.MOMENT_NS));
            link.right.receive(5, 0, 8);
            link.right.await(5, CompletionOperation.RECEIVE);
            link.left.await(4, CompletionOperation.SEND);
            link.right.hasBytesOf(link.left, 0, 0, 8);
        }
    }

    @Test
    void send_toAPeerThatHasClosed_failsAfterItsRetries_andTheRestIsFlushed() {
        try (Link link = Link.of(RC, Link.HASTY)) {
            link.right.close();
            link.left.sends.send(6).add(link.left.region, 0, 8).signalled().send(7).add(link.left.region, 0, 8)
                .signalled();
            link.left.post();
            link.left.awaitFailure(6, CompletionStatus.RETRY_EXC_ERR);
            link.left.awaitFailure(7, CompletionStatus.WR_FLUSH_ERR);
        }
    }

    @Test
    void completionQueue_thatOverflows_isReported() {
        try (Side side = new Side(Guest.left(), RC)) {
            CompletionQueue small = CompletionQueue.create(side.context, 1);
            int room = small.entryCount();
            QueuePairSettings settings = RC.withRequests(room + 50, 1);
            QueuePair pair = QueuePair.create(side.domain, settings, small, small);
            pair.initialize(Guest.PORT, Access.REMOTE_WRITE);
            PathAddress self = PathAddress.of(Guest.address(side.context).gid(), Guest.PORT,
                Guest.address(side.context).index());
            pair.connect(self, pair.number(), 9, 9, Link.PATIENT);
            for (int i = 0; i < room + 10; i++) {
                side.sends.write(i, side.region.address(), side.region.remoteKey()).add(side.region, 64, 8).signalled();
                assertEquals(1, pair.post(side.sends));
            }
            AsyncEvent event = side.context.awaitEvent(Guest.PATIENCE_NS);
            assertNotNull(event, "no event");
            assertEquals(AsyncEventType.CQ_ERR, event.type());
            assertSame(small, event.source());
        }
    }

    @Test
    void sizes_thatTheDeviceDoesNotHave_areErrorsWithNames() {
        try (Side side = new Side(Guest.left(), RC)) {
            RdmaException pair = assertThrows(RdmaException.class, () -> QueuePair.create(side.domain,
                RC.withRequests(100_000_000, 1), side.queue, side.queue));
            assertTrue(pair.errno() > 0 && pair.getMessage().startsWith("ibv_create_qp failed: E"), pair.getMessage());
            assertThrows(RdmaException.class, () -> CompletionQueue.create(side.context, 100_000_000));
            assertThrows(RdmaException.class, () -> SharedReceiveQueue.create(side.domain, 100_000_000, 1));
            side.queue.resize(512);
            assertTrue(side.queue.entryCount() >= 512);
        }
    }

    @Test
    void calls_ofClosedObjects_throw() {
        Link link = Link.of(RC, Link.HASTY);
        link.left.pair.close();
        link.left.pair.close();
        link.left.sends.send(1);
        assertThrows(IllegalStateException.class, link.left::post);
        assertThrows(IllegalStateException.class, link.left.pair::state);
        link.close();
        assertThrows(IllegalStateException.class, () -> link.left.queue.poll(link.left.one));
        assertThrows(IllegalStateException.class, () -> link.left.queue.arm(false));
        assertThrows(IllegalStateException.class, () -> link.left.context.port(Guest.PORT));
        assertThrows(IllegalStateException.class, () -> link.left.domain.allocate(8));
        assertThrows(IllegalStateException.class, () -> link.left.channel.await(0));
    }
}
