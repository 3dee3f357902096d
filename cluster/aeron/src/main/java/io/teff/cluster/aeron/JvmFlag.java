package io.teff.cluster.aeron;

import io.teff.cluster.net.transport.AddressException;
import org.agrona.concurrent.NanoClock;

/** The flag of the JVM that Aeron's buffers need; checked before the first use of a buffer. */
final class JvmFlag {
    private static final String PACKAGE = "jdk.internal.misc";

    private JvmFlag() {}

    /** Throws in a JVM without the flag. */
    static void check() throws AddressException {
        final Module agrona = NanoClock.class.getModule();
        if (!Object.class.getModule().isExported(PACKAGE, agrona)) {
            throw new AddressException("Aeron needs a flag of the JVM: --add-exports java.base/" + PACKAGE + "="
                + (agrona.isNamed() ? agrona.getName() : "ALL-UNNAMED"));
        }
    }
}
