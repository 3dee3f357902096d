package io.teff.test.net;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.test.kit.Form;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/** The nodes of a test over one transport: where they listen, how they are configured, and how they find each other. */
public final class TestNodes {
    private static final long REACH_NS = 60_000_000_000L;
    private static final long REQUEST_NS = 120_000_000_000L;

    private final IntFunction<String> listenAt;
    private final String nobody;
    private final UnaryOperator<NetworkConfig.Builder> flags;
    private final boolean echoesLongest;
    private final Map<Integer, String> book = new ConcurrentHashMap<>();

    private TestNodes(IntFunction<String> listenAt, String nobody, UnaryOperator<NetworkConfig.Builder> flags,
                      boolean echoesLongest) {
        this.listenAt = listenAt;
        this.nobody = nobody;
        this.flags = flags;
        this.echoesLongest = echoesLongest;
    }

    /**
     * Nodes of one transport.
     *
     * @param listenAt returns the address at which a node listens
     * @param nobody an address without a listener
     */
    public static TestNodes of(IntFunction<String> listenAt, String nobody) {
        return new TestNodes(listenAt, nobody, it -> it, Form.isLong());
    }

    /** Nodes of a transport whose nodes all listen at one address, which may have a port that the transport chooses. */
    public static TestNodes at(String address, String nobody) {
        return of(_ -> address, nobody);
    }

    /** Returns such nodes with other configurations. */
    public TestNodes with(UnaryOperator<NetworkConfig.Builder> further) {
        return new TestNodes(listenAt, nobody, it -> further.apply(flags.apply(it)), echoesLongest);
    }

    /** Returns such nodes of which one asks for the longest answer in every form. */
    public TestNodes thatEchoTheLongest() {
        return new TestNodes(listenAt, nobody, flags, true);
    }

    /** Returns whether a request and its answer have the maximum length once. */
    boolean echoesLongest() {
        return echoesLongest;
    }

    /** Returns an address without a listener. */
    String nobody() {
        return nobody;
    }

    /** Writes an address into the book. */
    void enter(int nid, String address) {
        book.put(nid, address);
    }

    /** Returns a node's configuration. */
    public NetworkConfig.Builder config(int nid) {
        return flags.apply(plain(nid));
    }

    /**
     * Returns a node's configuration without what {@link #with} adds. Its limits are long: a first handshake, or
     * 64 MiB, takes long on a busy machine.
     */
    public NetworkConfig.Builder plain(int nid) {
        return NetworkConfig.builder(nid).listen(Objects.requireNonNull(listenAt.apply(nid))).addresses(book::get)
            .reachNs(REACH_NS).requestTimeoutNs(REQUEST_NS);
    }

    /** Returns a network that the other nodes can find. */
    public Network open(NetworkConfig.Builder config) throws IOException {
        Network network = Network.open(config.build());
        book.put(network.nid(), network.addresses().getFirst());
        return network;
    }

    Network open(int nid) throws IOException {
        return open(config(nid));
    }
}
