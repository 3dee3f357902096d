package io.teff.test.cluster.nodes;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A node that answers until its standard input ends, and takes all descriptors of its process on request. Run in a JVM
 * of its own; prints its address.
 */
public final class HungryNode {
    private HungryNode() {}

    /**
     * Runs the node.
     *
     * @param args the address to listen at
     * @throws IOException if that fails
     */
    public static void main(String[] args) throws IOException {
        final List<FileInputStream> taken = new ArrayList<>();
        final BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Network network = Network.open(NetworkConfig.builder(2).listen(args[0]).build())) {
            network.answer(SquaringNode.SQUARES, (from, number) -> number * number);
            System.out.println(network.addresses().getFirst());
            for (String command = commands.readLine(); command != null; command = commands.readLine()) {
                if (command.equals("take")) {
                    take(taken);
                } else {
                    taken.forEach(HungryNode::close);
                }
                System.out.println(taken.size());
            }
        }
    }

    private static void take(List<FileInputStream> taken) {
        while (true) {
            try {
                taken.add(new FileInputStream("/dev/null"));
            } catch (IOException e) {
                return;
            }
        }
    }

    private static void close(FileInputStream file) {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
