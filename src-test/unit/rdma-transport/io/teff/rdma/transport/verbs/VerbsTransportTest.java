package io.teff.rdma.transport.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.teff.cluster.net.transport.AddressException;
import io.teff.engine.os.Platform;
import io.teff.rdma.RdmaException;
import io.teff.rdma.verbs.connect.ConnectionManager;
import io.teff.test.net.Told;
import java.io.IOException;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/**
 * Goal: a machine without RDMA says so when such an address is used, and nothing else notices. The tests of links are
 * in the lane {@code rdma}.
 */
final class VerbsTransportTest {
    private static boolean hasConnections() {
        try {
            ConnectionManager.open().close();
            return true;
        } catch (RdmaException e) {
            return false;                                       // the library is missing, or the kernel has none
        }
    }

    @Test
    void machineWithoutRdma_isNamedAsTheReason() {
        assumeFalse(hasConnections(), "this machine has RDMA");
        final VerbsTransport its = new VerbsTransport(Platform.SYSTEM);
        final IOException dialed = assertThrows(IOException.class, () -> its.connect("verbs:127.0.0.1:7", new Told()));
        final IOException listened = assertThrows(IOException.class,
            () -> its.listen("verbs:127.0.0.1:0", Told.into(new ArrayList<>())));
        for (IOException thrown : new IOException[] {dialed, listened}) {
            final String text = String.valueOf(thrown.getMessage());
            assertTrue(text.contains("apt-get install") || text.contains("has no RDMA connections"), text);
        }
        assertEquals(0, its.poll());
        its.await(1_000_000);
        its.wakeUp();
        its.await(Long.MAX_VALUE);
        its.close();
    }

    @Test
    void otherText_isNoAddress() {
        final VerbsTransport its = new VerbsTransport(Platform.SYSTEM);
        for (String text : new String[] {"verbs:", "verbs:a", "verbs:127.0.0.1:7|x=1", "ucx:127.0.0.1:7"}) {
            assertThrows(AddressException.class, () -> its.connect(text, new Told()), text);
            assertThrows(AddressException.class, () -> its.isLocal(text), text);
        }
    }
}
