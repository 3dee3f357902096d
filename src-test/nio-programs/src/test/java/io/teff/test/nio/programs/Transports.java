package io.teff.test.nio.programs;

import io.teff.test.kit.Form;
import java.util.Map;
import java.util.stream.Stream;

/** The transports that UCX may take for the links of a program. */
enum Transports {
    /** A program without the provider. */
    NO_PROVIDER(""),
    /** The choice of UCX: shared memory. */
    CHOSEN(""),
    /** Sockets of the kernel. */
    TCP("tcp"),
    /** Reliable connections of RDMA devices. */
    DEVICES("rc_verbs,ud_verbs");

    private static final int SHORT_SECONDS = 10;

    private final String names;

    Transports(String names) {
        this.names = names;
    }

    /** {@return the transports of a test on this machine} */
    static Stream<Transports> ofForm() {
        return Form.isFull() ? Stream.of(CHOSEN, TCP) : Stream.of(CHOSEN);
    }

    /** {@return the seconds of a program's work, of which the choice of UCX takes all} */
    int seconds(int seconds) {
        return this == CHOSEN ? seconds : Math.min(seconds, SHORT_SECONDS);
    }

    /** {@return the option of a JVM} */
    String option() {
        return "-Dteff.nio.transports=" + names;
    }

    /** {@return variables of the process} */
    Map<String, String> variables() {
        return this == DEVICES ? Map.of("UCX_IB_GID_INDEX", "0") : Map.of();    // UCX picks one that rxe does not have
    }
}
