package io.teff.rdma.transport.ucx;

import io.teff.cluster.net.transport.AddressException;
import io.teff.engine.os.Platform;
import java.io.IOException;
import org.junit.jupiter.api.Assumptions;

/** Addresses of tests, which are skipped where UCX is missing. */
final class Ucx {
    /** What UCX chooses between processes of a machine, which is shared memory. */
    static final String ANY = "ucx:127.0.0.1:0";
    static final String SHARED = "ucx:127.0.0.1:0|transports=posix,tcp";
    static final String POSIX = "ucx:127.0.0.1:0|transports=posix";
    static final String TCP = "ucx:127.0.0.1:0|transports=tcp";
    private static boolean isSaid;

    private Ucx() {}

    /** Skips a test, with one line of the whole run that says why. */
    static synchronized void assume() throws IOException {
        try {
            UcxLinks.open("", Platform.SYSTEM).close();
        } catch (AddressException e) {
            if (!isSaid) {
                isSaid = true;
                System.out.println("ucx: skipped, " + e.getMessage());
            }
            Assumptions.abort(e.getMessage());
        }
    }
}
