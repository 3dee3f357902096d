package io.teff.cluster.cell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Processes without the transport of their addresses. */
class MisfitExceptionTest {
    private static String failure(String address) {
        return assertThrows(MisfitException.class, () ->
            MisfitException.checkTransports(List.of(address), new TreeSet<>(Set.of("loop")))).getMessage();
    }

    @Test
    void addressWithoutTransport_namesTheArtifact() {
        assertEquals("this process has no transport for tcp:h:1, only for [loop]; io.teff:teff-nio (module "
            + "io.teff.nio) belongs on the class path or the module path", failure("tcp:h:1"));
        assertEquals("this process has no transport for ucx:h:1, only for [loop]; io.teff:teff-rdma-transport (module "
            + "io.teff.rdma.transport) belongs on the class path or the module path", failure("ucx:h:1"));
        assertEquals("this process has no transport for pigeon:h:1, only for [loop]", failure("pigeon:h:1"));
    }

    @Test
    void oneAddressWithTransport_isEnough() throws MisfitException {
        MisfitException.checkTransports(List.of("tcp:h:1", "loop:a"), Set.of("loop"));
    }
}
