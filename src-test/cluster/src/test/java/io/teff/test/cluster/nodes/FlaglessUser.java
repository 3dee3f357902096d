package io.teff.test.cluster.nodes;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import java.io.IOException;
import java.util.concurrent.CompletionException;

/** Uses transports in a JVM without the flag that Aeron needs; prints the results. */
public final class FlaglessUser {
    private FlaglessUser() {}

    /**
     * Runs the program.
     *
     * @param args not used
     * @throws IOException if a transport fails unexpectedly
     * @throws InterruptedException never
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        for (String address : new String[] {"loop:flagless", "tcp:127.0.0.1:0"}) {
            try (Network two = Network.open(NetworkConfig.builder(2).listen(address).build())) {
                final String there = two.addresses().getFirst();
                two.answer(SquaringNode.SQUARES, (from, number) -> number * number);
                try (Network one = Network.open(NetworkConfig.builder(1).addresses(_ -> there).build())) {
                    System.out.println(one.call(2, SquaringNode.SQUARES, 5L));
                }
            }
        }
        try {
            Network.open(NetworkConfig.builder(1).listen("aeron:ipc").build()).close();
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        try (Network one = Network.open(NetworkConfig.builder(1).addresses(_ -> "aeron:ipc?stream=1").build())) {
            one.request(2, SquaringNode.SQUARES, 1L).join();
        } catch (CompletionException e) {
            System.out.println(e.getCause().getMessage());
        }
    }
}
