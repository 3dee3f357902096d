package io.teff.nio.selector;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A server in a process of its own, which sends all bytes back. Its port is the content of a file. */
final class EchoProgram {
    private static final int SIZE = 50_000;

    private EchoProgram() {}

    public static void main(String[] arguments) throws IOException {
        final Path folder = Path.of(arguments[0]);
        final TeffSelectorProvider provider = TeffSelectorProvider.create(SelectorSettings.DEFAULT
            .withRegistry(folder.resolve("registry").toString()));
        try (ServerSocketChannel listener = Providers.listen(provider)) {
            Files.writeString(folder.resolve("fresh"), String.valueOf(listener.socket().getLocalPort()),
                StandardCharsets.US_ASCII);
            Files.move(folder.resolve("fresh"), folder.resolve("port"), StandardCopyOption.ATOMIC_MOVE);
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
}
