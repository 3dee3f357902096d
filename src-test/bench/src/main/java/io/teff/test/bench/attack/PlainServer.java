package io.teff.test.bench.attack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** A thread that serves one socket after the other. */
final class PlainServer implements AutoCloseable {
    private static final int ECHO_BYTES = 1 << 10;

    private final ServerSocketChannel server;

    /** The service of a socket before it is closed. */
    @FunctionalInterface
    private interface Service {
        /** Serves one socket. */
        void serve(SocketChannel accepted) throws IOException;
    }

    private PlainServer(Service service) throws IOException {
        server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofPlatform().daemon().name("plain-server").start(() -> run(service));
    }

    /** Returns a server that closes each socket immediately. */
    static PlainServer closing() throws IOException {
        return new PlainServer(accepted -> { });
    }

    /** Returns a server that echoes each byte. */
    static PlainServer echoing() throws IOException {
        return new PlainServer(accepted -> {
            accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
            ByteBuffer bytes = ByteBuffer.allocateDirect(ECHO_BYTES);
            while (accepted.read(bytes.clear()) >= 0) {
                accepted.write(bytes.flip());
            }
        });
    }

    private void run(Service service) {
        while (server.isOpen()) {
            try (SocketChannel accepted = server.accept()) {
                service.serve(accepted);
            } catch (IOException e) {
                continue;                                       // it was reset, or this is the end
            }
        }
    }

    SocketAddress address() throws IOException {
        return server.getLocalAddress();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
