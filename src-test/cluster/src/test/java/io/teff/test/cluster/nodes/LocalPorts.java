package io.teff.test.cluster.nodes;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** The ports of a cluster of three superpeers and two peers on this machine, as offsets from its first port. */
final class LocalPorts {
    private static final int PORTS = 125;
    private static final int[] TCP = {0, 1, 2, 10, 11};

    private LocalPorts() {}

    /** Returns a first port, of which all ports are free. */
    static int free() {
        int first;
        do {
            first = 20_000 + ThreadLocalRandom.current().nextInt(90) * PORTS;
        } while (!busy(first).isEmpty());
        return first;
    }

    /** Returns the ports in use. */
    static List<Integer> busy(int first) {
        List<Integer> busy = new ArrayList<>();
        for (int offset : TCP) {
            try (ServerSocket socket = new ServerSocket()) {
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress("127.0.0.1", first + offset));
            } catch (IOException _) {
                busy.add(first + offset);
            }
        }
        return busy;
    }
}
