package io.teff.cluster.net.config;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.ring.SendRing;
import io.teff.cluster.net.thread.UserCode;
import io.teff.cluster.net.wire.Frame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a network. Immutable; made by a {@link Builder}.
 *
 * <p>Times are in nanoseconds and lengths in bytes, as the names say.
 */
public final class NetworkConfig {
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1000 * MILLISECOND;
    private static final long REDIAL_MAX_NS = 2 * SECOND;
    private static final int REDIAL_SHIFT_MAX = 8;
    /** Largest NID. */
    public static final int NID_MAX = 65_534;
    private static final int AGENTS_MAX = 64;
    private static final int SECRET_BYTES_MIN = 16;
    private static final byte[] NO_BYTES = {};
    /** More than any memory; sums of positions and windows do not overflow. */
    private static final long WINDOW_BYTES_MAX = 1L << 40;

    /** Not shared. */
    private final Builder values;

    private NetworkConfig(Builder values) {
        this.values = values;
    }

    /**
     * Begins a configuration.
     *
     * @param nid this node's number, 0 to 65,534
     * @return a builder with defaults
     */
    public static Builder builder(int nid) {
        return new Builder(nid);
    }

    /** {@return the number of this node} */
    public int nid() {
        return values.nid;
    }

    /** {@return the prefix of the names of the network's threads} */
    public String name() {
        return "teff-net-" + values.nid;
    }

    /**
     * Names the thread of an agent.
     *
     * @param agent index of the agent
     * @return the name
     */
    public String name(int agent) {
        return values.agents == 1 ? name() : name() + "-agent-" + agent;
    }

    /** {@return the number of agents} */
    public int agents() {
        return values.agents;
    }

    /** {@return the addresses that the network listens at} */
    public List<String> listen() {
        return values.listen;
    }

    /** {@return the address of a node by its NID, or null} */
    public IntFunction<@Nullable String> addresses() {
        return values.addresses;
    }

    /** {@return a copy of the cluster's secret; empty for none} */
    public byte[] secret() {
        return values.secret.get().clone();
    }

    /** {@return the secrets that are accepted from dialers} */
    public AcceptedKeys admission() {
        final AcceptedKeys its = values.admission;
        return its != null ? its : _ -> List.of(new AcceptedKeys.Key(secret(), null));
    }

    /** {@return the identity of the cluster; unknown if the network learns it later, or belongs to no cluster} */
    public ClusterId cluster() {
        return values.cluster;
    }

    /** {@return whether the network takes the identity of its cluster from the first called node that has one} */
    public boolean adoptsCluster() {
        return values.adoptsCluster;
    }

    /** {@return whether the NID was drawn by lot} */
    public boolean hasDrawnNid() {
        return values.hasDrawnNid;
    }

    /** {@return the listener, wrapped so that its exceptions do not reach the caller} */
    public NetworkListener listener() {
        return values.listener;
    }

    /** {@return the application's executor for handlers; null if the network has its own threads} */
    public @Nullable Executor handlers() {
        return values.handlers;
    }

    /** {@return the context of TLS; null for none} */
    public @Nullable SSLContext tls() {
        return values.tls;
    }

    /** {@return the name in the certificate of a node by its NID, or null for any certificate} */
    public IntFunction<@Nullable CertificateName> certificateNames() {
        return values.certificateNames;
    }

    /**
     * Returns whether frames from this node to an address have checksums.
     *
     * @param address with the scheme of a transport
     * @return whether frames have checksums
     */
    public boolean hasChecksums(String address) {
        return values.checked.contains(address.substring(0, Math.max(address.indexOf(':'), 0)));
    }

    /** {@return nanoseconds that a thread without work spins before it sleeps} */
    public long spinNs() {
        return values.spinNs;
    }

    /** {@return the number of threads that run handlers} */
    public int handlerThreads() {
        return values.handlerThreads;
    }

    /** {@return size of a send buffer at first} */
    public int ringBytesMin() {
        return values.ringBytesMin;
    }

    /** {@return size to which a send buffer grows} */
    public int ringBytesMax() {
        return values.ringBytesMax;
    }

    /** {@return limit of the memory of all send buffers} */
    public long poolBytes() {
        return values.poolBytes;
    }

    /** {@return the window: bytes that a peer may send before they are handled} */
    public long windowBytes() {
        return values.windowBytes;
    }

    /** {@return limit of links, without links in the handshake} */
    public int linksMax() {
        return values.linksMax;
    }

    /** {@return most accepted links that have not authenticated} */
    public int greetingsMax() {
        return values.greetingsMax;
    }

    /** {@return nanoseconds that a send waits for room} */
    public long sendTimeoutNs() {
        return values.sendTimeoutNs;
    }

    /** {@return nanoseconds that a request may take} */
    public long requestTimeoutNs() {
        return values.requestTimeoutNs;
    }

    /** {@return nanoseconds that a session survives without a link} */
    public long awayNs() {
        return values.awayNs;
    }

    /** {@return nanoseconds that a link may be silent} */
    public long silenceNs() {
        return values.silenceNs;
    }

    /** {@return nanoseconds that a handshake may take} */
    public long greetingNs() {
        return values.greetingNs;
    }

    /** {@return received bytes after which a peer is sent an acknowledgement at once} */
    public long acknowledgeBytes() {
        return values.ringBytesMin / 4;
    }

    /** {@return time after which received bytes are acknowledged} */
    public long acknowledgeNs() {
        return 10 * MILLISECOND;
    }

    /** {@return time between two ticks of an agent} */
    public long tickNs() {
        return 5 * MILLISECOND;
    }

    /** {@return nanoseconds that a close waits until messages have arrived} */
    public long lingerNs() {
        return values.lingerNs;
    }

    /** {@return time without frames after which a connection gives back memory} */
    public long restNs() {
        return SECOND;
    }

    /** {@return nanoseconds that a node is dialed before it counts as unreachable} */
    public long reachNs() {
        return values.reachNs;
    }

    /** {@return age at which a link counts as steady: the next one is dialed without a pause} */
    public long steadyNs() {
        return SECOND;
    }

    /**
     * Returns the pause before the next dial.
     *
     * @param dials in a row without a link
     * @return nanoseconds, growing to two seconds
     */
    public long redialNs(int dials) {
        return Math.min(10 * MILLISECOND << Math.min(dials, REDIAL_SHIFT_MAX), REDIAL_MAX_NS);
    }

    /** {@return the NID, the addresses and the agents, for people; without the secret} */
    @Override
    public String toString() {
        return "NetworkConfig[nid " + values.nid + ", listens at " + values.listen + ", " + values.agents
            + " agents, " + (values.secret.get().length == 0 ? "no secret" : "a secret")
            + (values.tls == null ? "" : ", TLS") + ']';
    }

    /** Collects the settings, in place of their defaults. */
    public static final class Builder {
        private final int nid;
        private final List<String> listen = new ArrayList<>();
        private IntFunction<@Nullable String> addresses = _ -> null;
        private Supplier<byte[]> secret = () -> NO_BYTES;
        private @Nullable AcceptedKeys admission;
        private ClusterId cluster = ClusterId.NONE;
        private boolean adoptsCluster;
        private boolean hasDrawnNid;
        private NetworkListener listener = NetworkListener.NONE;
        private @Nullable Executor handlers;
        private @Nullable SSLContext tls;
        private IntFunction<@Nullable CertificateName> certificateNames = _ -> null;
        private final Set<String> checked = new HashSet<>();
        private int agents = 1;
        private long spinNs;
        private int handlerThreads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        private int ringBytesMin = 64 << 10;
        private int ringBytesMax = 1 << 20;
        private long poolBytes = 256L << 20;
        private long windowBytes = 1 << 20;
        private int linksMax = 4096;
        private int greetingsMax = 256;
        private long greetingNs = 5 * SECOND;
        private long sendTimeoutNs = 10 * SECOND;
        private long requestTimeoutNs = 10 * SECOND;
        private long lingerNs = 2 * SECOND;
        private long awayNs = 10 * SECOND;
        private long silenceNs = 5 * SECOND;
        private long reachNs = 3 * SECOND;

        private Builder(int nid) {
            if (nid < 0 || nid > NID_MAX) {
                throw new IllegalArgumentException("nid=" + nid + " is not in 0 to " + NID_MAX);
            }
            this.nid = nid;
        }

        /**
         * Adds an address to listen at, where other nodes find this node.
         *
         * @param address such as {@code tcp:127.0.0.1:0}
         * @return this
         */
        public Builder listen(String address) {
            listen.add(Objects.requireNonNull(address, "address"));
            return this;
        }

        /**
         * Sets the address book.
         *
         * @param byNid returns the address of a node, or null if the address is unknown; must not wait, and be
         *     thread-safe. If the function throws, the address is unknown. By default all addresses are unknown
         * @return this
         */
        public Builder addresses(IntFunction<@Nullable String> byNid) {
            addresses = UserCode.addresses(Objects.requireNonNull(byNid, "addresses"));
            return this;
        }

        /**
         * Sets the cluster's secret, known only to the nodes of the cluster.
         *
         * @param bytes the secret, 16 or more random bytes; empty, the default, for none: then other machines must not
         *     reach this node
         * @return this
         * @throws IllegalArgumentException if the secret is shorter, because a short secret can be guessed from the
         *     handshake; or if the secret is all zeros, the key of a cluster without a secret
         */
        public Builder secret(byte[] bytes) {
            if (bytes.length > 0 && bytes.length < SECRET_BYTES_MIN) {
                throw new IllegalArgumentException("a secret of " + bytes.length + " bytes can be guessed: at least "
                    + SECRET_BYTES_MIN + " are needed");
            } else if (bytes.length > 0 && Arrays.equals(bytes, new byte[bytes.length])) {
                throw new IllegalArgumentException("a secret of zeros is none");
            }
            final byte[] copy = bytes.clone();
            secret = () -> copy;
            return this;
        }

        /**
         * Sets a secret that may change while the network runs: each new link begins with the present secret.
         *
         * @param source returns a secret as {@link #secret(byte[])} takes it; must be short, not wait, and not throw
         * @return this
         */
        public Builder secrets(Supplier<byte[]> source) {
            secret = source;
            return this;
        }

        /**
         * Sets the secrets that are accepted from dialers, and the rights of the dialers. By default the own secret
         * alone is accepted, and its dialers are nodes.
         *
         * @param accepted returns the secrets
         * @return this
         */
        public Builder admission(AcceptedKeys accepted) {
            admission = accepted;
            return this;
        }

        /**
         * Sets the identity of the cluster: nodes of other clusters are refused. A node with a known cluster does not
         * call a node without one. A node without a known cluster may call any node, if the names fit.
         *
         * @param value the identity; unknown, the default, if the node has not met its cluster
         * @return this
         */
        public Builder cluster(ClusterId value) {
            cluster = Objects.requireNonNull(value, "cluster");
            return this;
        }

        /**
         * Lets the network take the identity of its cluster from the first called node that has authenticated and knows
         * its cluster. From then on nodes of other clusters are refused. The default is false: the identity is known
         * from the beginning, or set by {@link Network#identify}.
         *
         * @param value whether to take the identity over
         * @return this
         */
        public Builder adoptsCluster(boolean value) {
            adoptsCluster = value;
            return this;
        }

        /**
         * Says that the NID was drawn by lot. A called node refuses this network while another process with the same
         * NID is connected to the called node. After a refusal because of the NID, requests fail with {@code TAKEN}
         * at once. The default is false: the later of two processes with one NID replaces the earlier process.
         *
         * @param value whether the NID was drawn by lot
         * @return this
         */
        public Builder drawnNid(boolean value) {
            hasDrawnNid = value;
            return this;
        }

        /**
         * Sets the listener for events of connections.
         *
         * @param told the listener
         * @return this
         */
        public Builder listener(NetworkListener told) {
            listener = UserCode.listener(Objects.requireNonNull(told, "listener"));
            return this;
        }

        /**
         * Sets the executor of handlers, in place of threads of the network's own.
         *
         * @param executor runs handlers; must end after the network. A rejected message counts as a message whose
         *     handler has thrown the rejection
         * @return this
         */
        public Builder handlers(Executor executor) {
            handlers = Objects.requireNonNull(executor, "handlers");
            return this;
        }

        /**
         * Encrypts all {@code tcp:} links with TLS 1.3; transports without encryption then accept addresses of this
         * machine only. Both ends present a certificate, and each end must trust the certificate of the other end.
         * Names in certificates are compared for {@link #certificateNames} only, as nodes authenticate by the cluster's
         * secret.
         *
         * @param context has this node's key and certificate, and the trusted authorities
         * @return this
         * @throws IllegalStateException if the context is not initialized
         */
        public Builder tls(SSLContext context) {
            context.createSSLEngine();
            tls = context;
            return this;
        }

        /**
         * Requires names in the certificates of some nodes. A NID is a claim of the other side; with a required name
         * the certificate of the other side proves the claim. This node refuses each link with such a node, dialed or
         * accepted, if the certificate lacks the name or the link has no TLS.
         *
         * @param byNid returns the name for the NID of another node, or null for any certificate; must not wait, be
         *     thread-safe, and not throw. By default null for each NID
         * @return this
         */
        public Builder certificateNames(IntFunction<@Nullable CertificateName> byNid) {
            certificateNames = Objects.requireNonNull(byNid, "certificateNames");
            return this;
        }

        /**
         * Adds a CRC32C to each frame sent by this node over a transport, beyond the checks of the transport itself:
         * TCP and UDP detect only most changes of a few bits. A frame corrupted on the way ends its link, and is sent
         * again over the next link; no part of the frame is handled. Checksums of incoming frames are always checked.
         * Frames without checksums are refused only if both nodes ask for checksums, so all nodes should.
         *
         * @param schemes of transports, such as {@code tcp}; by default none
         * @return this
         */
        public Builder checksums(String... schemes) {
            checked.addAll(List.of(schemes));
            return this;
        }

        /**
         * Sets how long a thread of the network without work spins before sleeping. Spinning spares other threads the
         * waking, and occupies a processor: 20 microseconds are good on a machine with at least two processors more
         * than the network has agents.
         *
         * @param ns nanoseconds; 0, the default, for not at all
         * @return this
         */
        public Builder spinNs(long ns) {
            spinNs = atLeast("spinNs", ns, 0);
            return this;
        }

        /**
         * Sets the number of agents, the threads that send and receive. Each connection belongs to one agent, so there
         * should be many more connections than agents, and a processor for each agent. With several agents, short
         * handlers and the listener may be called by several threads at once.
         *
         * @param count 1 to 64; 1 by default. A network with several agents cannot listen at {@code aeron:}, and should
         *     not listen at {@code ucx:} with UCX before 1.18, because such a UCX may then abort the process
         * @return this
         */
        public Builder agents(int count) {
            if (count < 1 || count > AGENTS_MAX) {
                throw new IllegalArgumentException("agents=" + count + " is not in 1 to " + AGENTS_MAX);
            }
            agents = count;
            return this;
        }

        /**
         * Sets the number of threads that run handlers; by default half of the processors, and at least one. A handler
         * that waits for an answer, by {@link Network#call} or by the future of a {@linkplain Network#request request},
         * does not count: while messages wait, a virtual thread takes the place of the waiting handler.
         *
         * @param count at least 1
         * @return this
         */
        public Builder handlerThreads(int count) {
            handlerThreads = atLeast("handlerThreads", count, 1);
            return this;
        }

        /**
         * Sets the size of a connection's send buffer.
         *
         * @param min bytes of the first buffer, a power of two from 16 KiB; by default 64 KiB
         * @param max bytes of the largest buffer, a power of two up to 1 MiB, the default
         * @return this
         */
        public Builder ringBytes(int min, int max) {
            if (Integer.bitCount(min) != 1 || Integer.bitCount(max) != 1 || min > max
                || min < SendRing.FRAMES_MIN * 2 * Frame.FRAGMENT_BYTES_MIN || max > SendRing.CAPACITY_MAX) {
                throw new IllegalArgumentException("min=" + min + " max=" + max + " are not powers of two from "
                    + SendRing.FRAMES_MIN * 2 * Frame.FRAGMENT_BYTES_MIN + " to " + SendRing.CAPACITY_MAX + " bytes");
            }
            ringBytesMin = min;
            ringBytesMax = max;
            return this;
        }

        /**
         * Sets the limit of the memory of all send buffers. If the system cannot provide the memory, the pool counts as
         * exhausted.
         *
         * @param bytes at least 1 MiB; by default 256 MiB. The first send buffer of a connection must fit, with an
         *     eighth of its size in addition
         * @return this
         */
        public Builder poolBytes(long bytes) {
            poolBytes = atLeast("poolBytes", bytes, 1 << 20);
            return this;
        }

        /**
         * Sets the window: the bytes from one node that may wait for handlers on this node. Messages and requests may
         * use all but 128 KiB of the window; the rest is for answers.
         *
         * @param bytes 256 KiB to 1 TiB; by default 1 MiB
         * @return this
         */
        public Builder windowBytes(long bytes) {
            if (bytes > WINDOW_BYTES_MAX) {
                throw new IllegalArgumentException("windowBytes=" + bytes + " is more than " + WINDOW_BYTES_MAX
                    + " bytes");
            }
            windowBytes = atLeast("windowBytes", bytes, 2 * Frame.BYTES_MAX);
            return this;
        }

        /**
         * Sets the largest number of links. If another link is needed, the least recently used link is closed: the
         * session of the closed link continues, and makes a new link with the next message. A link may be closed if the
         * link has lasted a second, nothing is on its way, this node listens somewhere, and the other node's address is
         * known. If there is no such link, callers are refused, and dials wait. Links before authentication do not
         * count.
         *
         * @param count at least 1; by default 4,096
         * @return this
         */
        public Builder linksMax(int count) {
            linksMax = atLeast("linksMax", count, 1);
            return this;
        }

        /**
         * Sets the largest number of accepted links before authentication. Above the limit the oldest such link is
         * closed.
         *
         * @param count at least 1; by default 256
         * @return this
         */
        public Builder greetingsMax(int count) {
            greetingsMax = atLeast("greetingsMax", count, 1);
            return this;
        }

        /**
         * Sets how long the other side of a link may take to authenticate.
         *
         * @param ns nanoseconds, at least one millisecond; by default five seconds
         * @return this
         */
        public Builder greetingNs(long ns) {
            greetingNs = atLeast("greetingNs", ns, MILLISECOND);
            return this;
        }

        /**
         * Sets the time that a send may wait for room.
         *
         * @param ns nanoseconds, 0 for not at all; by default ten seconds
         * @return this
         */
        public Builder sendTimeoutNs(long ns) {
            sendTimeoutNs = atLeast("sendTimeoutNs", ns, 0);
            return this;
        }

        /**
         * Sets how long a request without a deadline of its own may take.
         *
         * @param ns nanoseconds, at least one millisecond; by default ten seconds
         * @return this
         */
        public Builder requestTimeoutNs(long ns) {
            requestTimeoutNs = atLeast("requestTimeoutNs", ns, MILLISECOND);
            return this;
        }

        /**
         * Sets the time that a session waits for a new link.
         *
         * @param ns nanoseconds, at least one millisecond; by default ten seconds
         * @return this
         */
        public Builder awayNs(long ns) {
            awayNs = atLeast("awayNs", ns, MILLISECOND);
            return this;
        }

        /**
         * Sets the time that a close waits until sent messages have arrived.
         *
         * @param ns nanoseconds, 0 for not at all; by default two seconds
         * @return this
         */
        public Builder lingerNs(long ns) {
            lingerNs = atLeast("lingerNs", ns, 0);
            return this;
        }

        /**
         * Sets how long a node may be silent before its link counts as lost. A node that has sent nothing for a quarter
         * of this time sends a keep-alive, and asks for a keep-alive in return: so nodes may have different values, and
         * the smaller value determines the cost of an idle link.
         *
         * @param ns nanoseconds, at least 100 milliseconds; by default five seconds
         * @return this
         */
        public Builder silenceNs(long ns) {
            silenceNs = atLeast("silenceNs", ns, 100 * MILLISECOND);
            return this;
        }

        /**
         * Sets how long a node without an answer is dialed before messages to the node end with UNREACHABLE.
         *
         * @param ns nanoseconds, at least one millisecond; by default three seconds
         * @return this
         */
        public Builder reachNs(long ns) {
            reachNs = atLeast("reachNs", ns, MILLISECOND);
            return this;
        }

        private static <N extends Number> N atLeast(String name, N value, long min) {
            if (value.longValue() < min) {
                final String unit = name.endsWith("Ns") ? " nanoseconds" : name.endsWith("Bytes") ? " bytes" : "";
                throw new IllegalArgumentException(name + "=" + value + " is less than " + min + unit);
            }
            return value;
        }

        private Builder copy() {
            final Builder copy = new Builder(nid);
            copy.listen.addAll(listen);
            copy.addresses = addresses;
            copy.secret = secret;
            copy.admission = admission;
            copy.cluster = cluster;
            copy.adoptsCluster = adoptsCluster;
            copy.hasDrawnNid = hasDrawnNid;
            copy.listener = listener;
            copy.handlers = handlers;
            copy.tls = tls;
            copy.certificateNames = certificateNames;
            copy.checked.addAll(checked);
            copy.agents = agents;
            copy.spinNs = spinNs;
            copy.handlerThreads = handlerThreads;
            copy.ringBytesMin = ringBytesMin;
            copy.ringBytesMax = ringBytesMax;
            copy.poolBytes = poolBytes;
            copy.windowBytes = windowBytes;
            copy.linksMax = linksMax;
            copy.greetingsMax = greetingsMax;
            copy.greetingNs = greetingNs;
            copy.sendTimeoutNs = sendTimeoutNs;
            copy.requestTimeoutNs = requestTimeoutNs;
            copy.lingerNs = lingerNs;
            copy.awayNs = awayNs;
            copy.silenceNs = silenceNs;
            copy.reachNs = reachNs;
            return copy;
        }

        /**
         * Ends the configuration.
         *
         * @return the configuration
         * @throws IllegalArgumentException if the first send buffer does not fit into the memory of all send buffers
         */
        public NetworkConfig build() {
            if (SendRing.bytes(ringBytesMin) > poolBytes) {
                throw new IllegalArgumentException("poolBytes=" + poolBytes + " is less than the "
                    + SendRing.bytes(ringBytesMin) + " bytes of a send buffer of ringBytes=" + ringBytesMin);
            }
            return new NetworkConfig(copy());
        }
    }
}
