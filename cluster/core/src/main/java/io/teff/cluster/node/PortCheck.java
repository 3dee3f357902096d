package io.teff.cluster.node;

import io.teff.cluster.config.Address;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;

/**
 * Checks that all ports are free, before anything starts: a superpeer with an occupied port would run without ever
 * leading. The check opens and closes each port.
 */
public final class PortCheck {
    private PortCheck() {}

    /**
     * Checks an address for TCP, or for UCX, because UCX listens at a TCP port, too. The ports of RDMA devices are not
     * checked.
     *
     * @param address where a node is going to listen
     * @return the obstacles, for people; empty without obstacles
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
            socket.setReuseAddress(true);                       // slowly ending connections are no obstacle
            socket.bind(socketAddress);
            return List.of();
        } catch (IOException e) {
            return List.of("TCP port " + address + " cannot be used: " + FailureText.of(e));
        }
    }
}
