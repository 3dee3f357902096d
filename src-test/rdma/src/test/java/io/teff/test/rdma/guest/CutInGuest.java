package io.teff.test.rdma.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.verbs.device.AsyncEvent;
import io.teff.rdma.verbs.device.AsyncEventType;
import io.teff.rdma.verbs.device.PortState;
import io.teff.rdma.verbs.queue.CompletionOperation;
import io.teff.rdma.verbs.queue.CompletionStatus;
import io.teff.rdma.verbs.queue.QueuePairSettings;
import io.teff.rdma.verbs.queue.QueuePairType;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The cable is cut and mended, and loses packets. */
final class CutInGuest {
    private static final String CABLE = "veth0";
    private static final Set<CompletionStatus> ENDS =
        Set.of(CompletionStatus.RETRY_EXC_ERR, CompletionStatus.WR_FLUSH_ERR);
    private boolean isDown;
    private boolean isLossy;

    private void down() throws IOException, InterruptedException {
        isDown = true;
        Guest.command("ip", "link", "set", CABLE, "down");
    }

    @AfterEach
    void mend() throws IOException, InterruptedException {
        if (isDown) {
            Guest.command("ip", "link", "set", CABLE, "up");
            Guest.command("bash", "-c", "ip route replace 10.99.0.2 dev veth0 src 10.99.0.1 table 100;"
                + " ip route replace 10.99.0.1 dev veth1 src 10.99.0.2 table 101");
            isDown = false;
        }
        if (isLossy) {
            Guest.command("tc", "qdisc", "del", "dev", CABLE, "root");
            isLossy = false;
        }
    }

    private static void awaitEvent(Side side, AsyncEventType type) {
        AsyncEvent event = side.context.awaitEvent(Guest.PATIENCE_NS);
        while (event != null && event.type() != type) {
            event = side.context.awaitEvent(Guest.PATIENCE_NS);
        }
        assertNotNull(event, () -> "no event " + type);
        assertEquals(Guest.PORT, event.port());
        assertNull(event.source());
    }

    @Test
    void cut_isReported_andEndsRequests_andMendingIsReported() throws IOException, InterruptedException {
        try (Link link = Link.of(QueuePairSettings.of(QueuePairType.RC), Link.HASTY)) {
            down();
            awaitEvent(link.left, AsyncEventType.PORT_ERR);
            assertEquals(PortState.DOWN, link.left.context.port(Guest.PORT).state());
            link.left.sends.write(1, link.right.region.address(), link.right.region.remoteKey())
                .add(link.left.region, 0, 8).signalled();
            link.left.post();
            // Devices that see the cut themselves do not wait for acknowledgements.
            link.left.await();
            assertTrue(ENDS.contains(link.left.one.status(0)), () -> "" + link.left.one.failure(0));
            mend();
            awaitEvent(link.left, AsyncEventType.PORT_ACTIVE);
            assertEquals(PortState.ACTIVE, link.left.context.port(Guest.PORT).state());
        }
        try (Link again = Link.of(QueuePairType.RC)) {
            again.left.sends.write(2, again.right.region.address(), again.right.region.remoteKey())
                .add(again.left.region, 0, 8).signalled();
            again.left.post();
            again.left.await(2, CompletionOperation.RDMA_WRITE);
        }
    }

    /** One packet in a hundred is lost; a reliable connection sends it again, and all bytes arrive in order. */
    @Test
    void loss_ofOnePercent_isRepaired() throws IOException, InterruptedException {
        isLossy = true;
        Guest.command("tc", "qdisc", "add", "dev", CABLE, "root", "netem", "loss", "1%");
        try (Link link = Link.of(QueuePairSettings.of(QueuePairType.RC), Link.PATIENT.withRetries(10, 7, 7))) {
            int length = 65_536;
            for (int i = 0; i < 60; i++) {
                link.left.fill(0, length, i);
                link.right.receive(i, length, length);
                link.left.sends.send(i).add(link.left.region, 0, length).signalled();
                link.left.post();
                link.right.await(i, CompletionOperation.RECEIVE);
                assertEquals(length, link.right.one.byteCount(0));
                link.right.hasBytesOf(link.left, 0, length, length);
                link.left.await(i, CompletionOperation.SEND);
            }
        }
    }
}
