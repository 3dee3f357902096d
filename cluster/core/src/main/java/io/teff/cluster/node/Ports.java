package io.teff.cluster.node;

import io.teff.cluster.config.Address;
import io.teff.cluster.consensus.MemberConfig;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks that ports are free, all of them before anything starts: a superpeer with one of its ports in use would run
 * without ever leading. The check opens each port and closes it again.
 */
public final class Ports {
    private Ports() {}

    /**
     * Checks an address for TCP, or for UCX, which listens at a TCP port, too. The ports of RDMA devices are not
     * checked.
     *
     * @param address where a node is going to listen
     * @return what is in the way, for people; empty if nothing is
     */
    public static List<String> checkTcp(Address address) {
        if (address.transport().equals("verbs")) {
            return List.of();
        }
        InetSocketAddress socketAddress = new InetSocketAddress(address.host(), address.port());
        if (socketAddress.isUnresolved()) {
            return List.of("the host " + address.host() + " is unknown");
        }
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);                       // connections that end slowly are not in the way
            socket.bind(socketAddress);
            return List.of();
        } catch (IOException e) {
            return List.of("TCP port " + address + " cannot be used: " + FailureText.of(e));
        }
    }

    /**
     * Checks the UDP ports of a superpeer's consensus.
     *
     * @param first the first address
     * @return what is in the way, for people; empty if nothing is
     */
    public static List<String> checkConsensus(Address first) {
        List<String> faults = new ArrayList<>();
        for (int port = first.port(); port < first.port() + MemberConfig.PORTS; port++) {
            InetSocketAddress socketAddress = new InetSocketAddress(first.host(), port);
            if (socketAddress.isUnresolved()) {
                return List.of("the host " + first.host() + " is unknown");
            }
            try (DatagramSocket socket = new DatagramSocket(null)) {
                socket.bind(socketAddress);
            } catch (IOException e) {
                faults.add("UDP port " + new Address(first.host(), port) + " cannot be used: " + FailureText.of(e));
            }
        }
        return faults;
    }
}
