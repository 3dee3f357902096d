package io.teff.rdma.verbs.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.verbs.device.Gid;
import io.teff.rdma.verbs.device.PathMtu;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The values of queues and queue pairs, which need no device. */
final class QueueValuesTest {
    @Test
    void moves_ofQueuePairs_areThoseOfTheDrawing() {
        StringBuilder moves = new StringBuilder();
        for (QueuePairState from : QueuePairState.values()) {
            for (QueuePairState to : QueuePairState.values()) {
                if (from.mayMoveTo(to) && to != QueuePairState.ERR && to != QueuePairState.RESET) {
                    moves.append(from).append('>').append(to).append(' ');
                }
            }
            assertTrue(from.mayMoveTo(QueuePairState.ERR) && from.mayMoveTo(QueuePairState.RESET));
        }
        assertEquals("RESET>INIT INIT>INIT INIT>RTR RTR>RTS RTS>RTS RTS>SQD SQD>RTS SQD>SQD SQE>RTS ",
            moves.toString());
    }

    @ParameterizedTest
    @EnumSource(CompletionStatus.class)
    void status_ofItsCode_isItself(CompletionStatus status) {
        assertEquals(status, CompletionStatus.of(status.code()));
    }

    @Test
    void codes_thatAreUnknown_areValues() {
        assertEquals(CompletionStatus.UNKNOWN, CompletionStatus.of(99));
        assertEquals(CompletionOperation.UNKNOWN, CompletionOperation.of(77));
        assertEquals(QueuePairState.UNKNOWN, QueuePairState.of(-3));
    }

    @Test
    void settings_outOfRange_areRefused() {
        QueuePairSettings settings = QueuePairSettings.of(QueuePairType.RC);
        assertThrows(IllegalArgumentException.class, () -> settings.withRequests(-1, 1));
        assertThrows(IllegalArgumentException.class, () -> QueuePairSettings.of(QueuePairType.UNKNOWN));
        ConnectSettings connect = ConnectSettings.of(PathMtu.MTU_1024);
        assertThrows(IllegalArgumentException.class, () -> connect.withRetries(32, 7, 7));
        assertThrows(IllegalArgumentException.class, () -> connect.withRetries(14, 8, 7));
        Gid gid = new Gid(0, 1);
        assertThrows(IllegalArgumentException.class,
            () -> new QueuePairAddress(1, 1 << 24, 0, gid, PathMtu.MTU_256));
    }
}
