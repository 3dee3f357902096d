package io.teff.test.rdma.guest;

import io.teff.nio.selector.SelectorSettings;
import io.teff.nio.selector.TeffSelectorProvider;
import io.teff.nio.selector.report.LinkReason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.SplittableRandom;

/** A server of the selector provider that sends all bytes back, or its client. The settings are system properties. */
final class SelectorProgram {
    /** Printed by a server that listens. */
    static final String LISTENING = "listening";
    private static final int SIZE = 200_000;
    private static final int CONNECTIONS = 3;

    private SelectorProgram() {}

    /** The arguments are an address and a port, and a third word for a client. */
    public static void main(String[] arguments) throws IOException {
        final InetSocketAddress address = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
        final TeffSelectorProvider provider = TeffSelectorProvider.create(SelectorSettings.ofProperties());
        if (arguments.length > 2) {
            for (int i = 0; i < CONNECTIONS; i++) {
                call(provider, address, i);
            }
            System.out.println("ucx " + provider.counts().get(LinkReason.UCX) + " of " + CONNECTIONS + ", "
                + provider.counts() + " " + provider.lastFailure());
            return;
        }
        try (ServerSocketChannel listener = provider.openServerSocketChannel()) {
            listener.bind(address);
            System.out.println(LISTENING);
            while (true) {
                final SocketChannel channel = listener.accept();
                Thread.ofVirtual().start(() -> echo(channel));
            }
        }
    }

    private static void echo(SocketChannel channel) {
        final ByteBuffer bytes = ByteBuffer.allocateDirect(SIZE);
        try (channel) {
            while (channel.read(bytes.clear()) >= 0) {
                bytes.flip();
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
        } catch (IOException e) {
            System.out.println(e);
        }
    }

    private static void call(TeffSelectorProvider provider, InetSocketAddress address, int seed) throws IOException {
        final byte[] sent = new byte[SIZE];
        new SplittableRandom(seed).nextBytes(sent);
        final ByteBuffer answer = ByteBuffer.allocate(SIZE);
        try (SocketChannel channel = provider.openSocketChannel()) {
            channel.connect(address);
            final ByteBuffer bytes = ByteBuffer.wrap(sent);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            while (answer.hasRemaining() && channel.read(answer) >= 0) {
                continue;
            }
        }
        if (!Arrays.equals(sent, answer.array())) {
            throw new AssertionError("other bytes came back");
        }
    }
}
