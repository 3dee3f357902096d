package io.teff.nio;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A relay between two nodes that records the bytes of both directions. */
final class WireTap implements AutoCloseable {
    private static final int READ_BYTES = 1 << 14;

    private final InetSocketAddress to;
    private final ServerSocket server;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final ByteArrayOutputStream seen = new ByteArrayOutputStream();

    WireTap(InetSocketAddress to) throws IOException {
        this.to = to;
        this.server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(this::accept);
    }

    String address() {
        return "tcp:127.0.0.1:" + server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                final Socket near = server.accept();
                final Socket far = new Socket(to.getAddress(), to.getPort());
                sockets.add(near);
                sockets.add(far);
                Thread.ofPlatform().daemon().start(() -> relay(near, far));
                Thread.ofPlatform().daemon().start(() -> relay(far, near));
            }
        } catch (IOException _) {
            // it was closed
        }
    }

    private void relay(Socket from, Socket into) {
        final byte[] bytes = new byte[READ_BYTES];
        try {
            for (int count = from.getInputStream().read(bytes); count >= 0; count = from.getInputStream().read(bytes)) {
                synchronized (seen) {
                    seen.write(bytes, 0, count);
                }
                into.getOutputStream().write(bytes, 0, count);
            }
            into.shutdownOutput();
        } catch (IOException _) {
            // one of them has gone
        }
    }

    /** Returns whether bytes were sent in either direction. */
    boolean hasSeen(byte[] bytes) {
        synchronized (seen) {
            return seen.toString(StandardCharsets.ISO_8859_1).contains(new String(bytes, StandardCharsets.ISO_8859_1));
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
