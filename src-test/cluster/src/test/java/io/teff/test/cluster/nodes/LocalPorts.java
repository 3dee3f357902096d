package io.teff.test.cluster.nodes;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** The ports of a cluster of three superpeers and two peers on this machine, as offsets from its first port. */
final class LocalPorts {
    /** The first UDP port, of the consensus of superpeers. */
    static final int UDP_FROM = 100;
    private static final int PORTS = 125;
    private static final int[] TCP = {0, 1, 2, 10, 11};
    private static final int UDP_COUNT = 15;

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
        for (int i = 0; i < UDP_COUNT; i++) {
            try (DatagramSocket socket = new DatagramSocket(null)) {
                socket.bind(new InetSocketAddress("127.0.0.1", first + UDP_FROM + i));
            } catch (IOException _) {
                busy.add(first + UDP_FROM + i);
            }
        }
        return busy;
    }
}
