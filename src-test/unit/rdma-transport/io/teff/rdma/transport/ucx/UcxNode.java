package io.teff.rdma.transport.ucx;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** The main class of a node in a process of its own, which squares numbers until its input ends. */
final class UcxNode {
    static final int NID = 2;
    static final RequestType<Long, Long> SQUARES = RequestType.of(3, Codecs.LONG, Codecs.LONG);
    static final String ADDRESS = "address ";
    static final long SILENCE_NS = 400_000_000;

    private UcxNode() {}

    /** The arguments are addresses to listen at. */
    public static void main(String[] arguments) throws IOException {
        final NetworkConfig.Builder config = NetworkConfig.builder(NID).silenceNs(SILENCE_NS);
        Arrays.stream(arguments).forEach(config::listen);
        try (Network network = Network.open(config.build())) {
            network.answerShort(SQUARES, (from, number) -> number * number);
            network.addresses().forEach(it -> System.out.println(ADDRESS + it));
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
