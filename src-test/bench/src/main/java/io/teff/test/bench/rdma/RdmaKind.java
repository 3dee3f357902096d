package io.teff.test.bench.rdma;

import io.teff.test.bench.store.Contender;
import java.util.List;

/** The compared ways to move bytes. */
enum RdmaKind implements Contender {
    /** A loop in C that does what Teff's does. */
    LOOP_C("verbs, the same loop in C", Tool.LOOP, Place.DEVICE),
    /** Teff's binding of libibverbs, both ends driven by one thread. */
    TEFF_VERBS("Teff verbs", Tool.NONE, Place.DEVICE),
    /** The programs of perftest, one process for each end. */
    PERFTEST("verbs, perftest", Tool.PERFTEST, Place.DEVICE),
    /** Sockets whose threads wait in the kernel, between the networks of the devices. */
    DEVICE_SOCKET("java.nio blocking, there", Tool.NONE, Place.DEVICE),
    /** Sockets whose threads poll, between the networks of the devices. */
    DEVICE_SOCKET_SPIN("java.nio polling, there", Tool.NONE, Place.DEVICE),
    /** UCX's own program, over shared memory. */
    UCX_PERFTEST("ucx_perftest, shared memory", Tool.UCX_PERFTEST, Place.HOST),
    /** Teff's binding of UCX, over shared memory. */
    TEFF_UCX("Teff UCX, shared memory", Tool.NONE, Place.HOST),
    /** UCX's own program, over TCP. */
    UCX_PERFTEST_TCP("ucx_perftest, TCP", Tool.UCX_PERFTEST, Place.HOST),
    /** Teff's binding of UCX, over TCP. */
    TEFF_UCX_TCP("Teff UCX, TCP", Tool.NONE, Place.HOST),
    /** Sockets whose threads wait in the kernel. */
    SOCKET("java.nio, blocking", Tool.NONE, Place.HOST),
    /** Sockets whose threads poll. */
    SOCKET_SPIN("java.nio, polling", Tool.NONE, Place.HOST),
    /** Teff's messages over TCP. */
    MESSAGES_TCP("Teff messages, tcp", Tool.NONE, Place.HOST),
    /** Teff's messages over UCX, which takes shared memory. */
    MESSAGES_UCX("Teff messages, ucx", Tool.NONE, Place.HOST);

    /** Programs in C. */
    enum Tool { NONE, LOOP, PERFTEST, UCX_PERFTEST }

    /** Where a contender runs: on any machine, or where there are devices. */
    enum Place { HOST, DEVICE }

    /** What UCX calls its transport over TCP. */
    static final String TCP = "tcp";

    private static final String SHARED_MEMORY = "shm";

    private final String title;
    private final Tool tool;
    private final Place place;

    RdmaKind(String title, Tool tool, Place place) {
        this.title = title;
        this.tool = tool;
        this.place = place;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public List<String> flags() {
        return List.of();
    }

    Tool tool() {
        return tool;
    }

    Place place() {
        return place;
    }

    /** Returns what UCX calls its transports. */
    String ucxTransports() {
        return this == TEFF_UCX || this == UCX_PERFTEST ? SHARED_MEMORY : TCP;
    }

    /** Whether it can be measured by a pattern on a machine with so many processors. */
    boolean isFor(RdmaPattern pattern, int processors) {
        return switch (this) {
            case LOOP_C -> pattern.ends() == 2 && pattern != RdmaPattern.STREAM && pattern != RdmaPattern.BOTH_WAYS;
            case TEFF_VERBS -> pattern != RdmaPattern.STREAM;
            // ib_write_lat looks at memory for the peer's write: two such processes on one processor wait for each
            // other's time slices. The others sleep until there is a completion.
            case PERFTEST -> pattern.ends() == 2 && pattern != RdmaPattern.STREAM && pattern != RdmaPattern.POLL
                && (processors > 1 || pattern != RdmaPattern.WRITE_LATENCY);
            case UCX_PERFTEST, UCX_PERFTEST_TCP -> processors > 1 && pattern.ends() == 2
                && pattern != RdmaPattern.POLL && pattern != RdmaPattern.BOTH_WAYS
                && pattern != RdmaPattern.WRITE_LATENCY;
            case TEFF_UCX, TEFF_UCX_TCP -> pattern != RdmaPattern.POLL;
            case SOCKET, SOCKET_SPIN, DEVICE_SOCKET, DEVICE_SOCKET_SPIN, MESSAGES_TCP, MESSAGES_UCX ->
                !pattern.isOneSided() && pattern != RdmaPattern.POLL && pattern != RdmaPattern.STREAM;
        };
    }
}
