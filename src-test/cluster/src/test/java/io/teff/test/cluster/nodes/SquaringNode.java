package io.teff.test.cluster.nodes;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import java.io.IOException;
import java.io.OutputStream;

/** A node that answers until its standard input ends. Run in a JVM of its own; prints its address. */
public final class SquaringNode {
    static final RequestType<Long, Long> SQUARES = RequestType.of(1, Codecs.LONG, Codecs.LONG);

    private SquaringNode() {}

    /**
     * Runs the node.
     *
     * @param args the address to listen at
     * @throws IOException if that fails
     */
    public static void main(String[] args) throws IOException {
        try (Network network = Network.open(NetworkConfig.builder(2).listen(args[0]).build())) {
            network.answer(SQUARES, (from, number) -> number * number);
            System.out.println(network.addresses().getFirst());
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
