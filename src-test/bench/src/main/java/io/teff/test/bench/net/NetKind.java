package io.teff.test.bench.net;

import io.teff.test.bench.store.Contender;
import java.util.List;
import javax.net.ssl.SSLContext;

/** The compared ways to send messages. */
public enum NetKind implements Contender {
    /** Teff over TCP, handled where messages arrive. */
    TEFF_TCP("Teff tcp, short handlers"),
    /** Teff over TCP, handled by threads of their own. */
    TEFF_TCP_THREADS("Teff tcp, handlers' threads"),
    /** Teff over TCP, each frame with a checksum of its own. */
    TEFF_TCP_CHECKSUMS("Teff tcp, checksums"),
    /** Teff over TCP, encrypted. */
    TEFF_TCP_TLS("Teff tcp, TLS"),
    /** Teff over TCP, whose threads spin for long before they sleep. */
    TEFF_TCP_SPIN("Teff tcp, spinning"),
    /** Teff in the process, handled where messages arrive. */
    TEFF_LOOP("Teff loop, short handlers"),
    /** Teff in the process, handled by threads of their own. */
    TEFF_LOOP_THREADS("Teff loop, handlers' threads"),
    /** Teff over Aeron in shared memory. */
    TEFF_AERON_IPC("Teff Aeron IPC, short handlers"),
    /** Teff over Aeron's datagrams. */
    TEFF_AERON_UDP("Teff Aeron UDP, short handlers"),
    /** Teff over UCX, which takes shared memory between processes of a machine. */
    TEFF_UCX("Teff UCX, short handlers"),
    /** Teff over UCX, whose threads spin for long before they sleep. */
    TEFF_UCX_SPIN("Teff UCX, spinning"),
    /** Sockets whose threads wait in the kernel: one call per message. */
    SOCKET("java.nio, blocking"),
    /** Sockets whose threads poll. */
    SOCKET_SPIN("java.nio, spinning"),
    /** Netty, each message written and flushed. */
    NETTY("Netty"),
    /** Netty, with its handler that flushes less often. */
    NETTY_CONSOLIDATED("Netty, flush consolidation"),
    /** gRPC: unary calls, and streams of messages. */
    GRPC("gRPC"),
    /** Aeron in shared memory. */
    AERON_IPC("Aeron IPC"),
    /** Aeron over UDP. */
    AERON_UDP("Aeron UDP");

    private static final String TCP = "tcp:127.0.0.1:0";
    private static final String UCX = "ucx:127.0.0.1:0";
    /** The value that {@link io.teff.cluster.net.config.NetworkConfig.Builder#spinNs} advises. */
    private static final long SPIN_NS = 20_000;
    private static final List<String> AERON_FLAGS =
        List.of("--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED");

    private final String title;

    NetKind(String title) {
        this.title = title;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public List<String> flags() {
        return name().contains("AERON") ? AERON_FLAGS : List.of();
    }

    /** Whether it needs the library UCX. */
    boolean isOverUcx() {
        return this == TEFF_UCX || this == TEFF_UCX_SPIN;
    }

    /** Whether it supports a case. */
    boolean isFor(NetCase what) {
        NetMode mode = what.mode();
        return switch (this) {
            case SOCKET_SPIN, TEFF_TCP_SPIN, TEFF_UCX_SPIN ->
                mode == NetMode.ROUND_TRIP && what.threads() == 1 && what.links() == 1;
            case TEFF_TCP_CHECKSUMS, TEFF_TCP_TLS -> mode == NetMode.ROUND_TRIP || mode == NetMode.ONE_WAY;
            case TEFF_TCP, TEFF_LOOP, NETTY, SOCKET -> true;
            default -> mode != NetMode.IDLE;
        };
    }

    /** Opens all nodes of a case. */
    Nodes open(NetCase what) throws Exception {
        return switch (this) {
            case TEFF_TCP -> new TeffNodes(what, TCP, true);
            case TEFF_TCP_THREADS -> new TeffNodes(what, TCP, false);
            case TEFF_TCP_CHECKSUMS -> new TeffNodes(what, TCP, true, config -> config.checksums("tcp"));
            case TEFF_TCP_TLS -> {
                SSLContext key = BenchKey.make();
                yield new TeffNodes(what, TCP, true, config -> config.tls(key));
            }
            case TEFF_TCP_SPIN -> new TeffNodes(what, TCP, true, config -> config.spinNs(SPIN_NS));
            case TEFF_LOOP -> new TeffNodes(what, "loop:", true);
            case TEFF_LOOP_THREADS -> new TeffNodes(what, "loop:", false);
            case TEFF_AERON_IPC -> new TeffNodes(what, "aeron:ipc", true);
            case TEFF_AERON_UDP -> new TeffNodes(what, "aeron:udp?endpoint=127.0.0.1:0", true);
            case TEFF_UCX -> new TeffNodes(what, UCX, true);
            case TEFF_UCX_SPIN -> new TeffNodes(what, UCX, true, config -> config.spinNs(SPIN_NS));
            case SOCKET -> new SocketNodes(what, false);
            case SOCKET_SPIN -> new SocketNodes(what, true);
            case NETTY -> new NettyNodes(what, false);
            case NETTY_CONSOLIDATED -> new NettyNodes(what, true);
            case GRPC -> new GrpcNodes(what);
            case AERON_IPC -> new AeronNodes(what, "aeron:ipc?term-length=1m");
            case AERON_UDP -> new AeronNodes(what, "aeron:udp?term-length=1m|endpoint=127.0.0.1:");
        };
    }
}
