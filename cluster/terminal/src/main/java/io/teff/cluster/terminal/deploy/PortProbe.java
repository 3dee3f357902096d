package io.teff.cluster.terminal.deploy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * A program for hosts without Teff: this one class is sent to a host and run there. {@code listen ADDRESS...} opens
 * ports until standard input ends; the kernel accepts connections meanwhile. {@code connect ADDRESS...} connects to
 * ports of other hosts.
 */
final class PortProbe {
    private static final int TIMEOUT_MS = 3_000;

    private PortProbe() {}

    /**
     * Runs the program.
     *
     * @param args the mode, and addresses with ports
     * @throws IOException if standard input cannot be read
     */
    public static void main(String[] args) throws IOException {
        List<ServerSocket> open = new ArrayList<>();
        for (int i = 1; i < args.length; i++) {
            if (args[0].equals("listen")) {
                listen(args[i], open);
            } else {
                connect(args[i]);
            }
        }
        System.out.println("done");
        System.out.flush();
        if (!open.isEmpty()) {
            while (System.in.read() >= 0) {
                continue;
            }
        }
    }

    private static void listen(String address, List<ServerSocket> open) {
        try {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(parse(address));
            open.add(socket);
            System.out.println("port " + address + " free");
        } catch (IOException e) {
            System.out.println("port " + address + " used " + e);
        }
    }

    private static void connect(String address) {
        try (Socket socket = new Socket()) {
            socket.connect(parse(address), TIMEOUT_MS);
            System.out.println("reach " + address + " yes");
        } catch (IOException e) {
            System.out.println("reach " + address + " no " + e);
        }
    }

    private static InetSocketAddress parse(String address) {
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon);
        boolean isInBrackets = host.startsWith("[");
        return new InetSocketAddress(isInBrackets ? host.substring(1, host.length() - 1) : host,
            Integer.parseInt(address.substring(colon + 1)));
    }
}
