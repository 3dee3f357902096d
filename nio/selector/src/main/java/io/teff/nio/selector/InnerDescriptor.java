package io.teff.nio.selector;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * Finds the descriptor of the epoll of a selector of the JDK, for a sleep in that epoll and in another descriptor.
 *
 * <p>No method of the JDK names the descriptor. A marker shows it: a datagram channel with a port of its own is
 * registered, {@code /proc/self/net/udp} has the inode of the port, and {@code /proc/self/fdinfo} has all inodes of an
 * epoll of the process. Other threads change neither the port nor the epoll meanwhile, so the descriptor is right. The
 * selector has the descriptor until the selector is closed.
 */
final class InnerDescriptor {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Path DETAILS = Path.of("/proc/self/fdinfo");
    private static final Path PORTS = Path.of("/proc/self/net/udp");
    private static final String EPOLL = "anon_inode:[eventpoll]";
    private static final int LOCAL_COLUMN = 1;
    private static final int INODE_COLUMN = 9;

    private InnerDescriptor() {}

    /**
     * Finds the descriptor. The caller selects with the selector, and no other thread does.
     *
     * @return empty if the system does not show it
     */
    static OptionalInt find(Selector inner) {
        OptionalInt found = OptionalInt.empty();
        try (DatagramChannel marker = inner.provider().openDatagramChannel(StandardProtocolFamily.INET)) {
            marker.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            marker.configureBlocking(false);
            marker.register(inner, SelectionKey.OP_READ);
            inner.selectNow(key -> { });                        // the epoll has the marker now; keys stay ready
            found = find(inode(((InetSocketAddress) marker.getLocalAddress()).getPort()));
        } catch (IOException | RuntimeException e) {
            found = OptionalInt.empty();                        // a system without these files
        }
        try {
            inner.selectNow(key -> { });                        // the marker leaves the selector
        } catch (IOException e) {
            found = OptionalInt.empty();
        }
        return found;
    }

    private static long inode(int port) throws IOException {
        final String end = String.format(Locale.ROOT, ":%04X", port);
        for (String line : Files.readAllLines(PORTS)) {
            final List<String> columns = List.of(line.trim().split("\\s+"));
            if (columns.size() > INODE_COLUMN && columns.get(LOCAL_COLUMN).endsWith(end)) {
                return Long.parseLong(columns.get(INODE_COLUMN));
            }
        }
        throw new IOException("no line of port " + port);
    }

    private static OptionalInt find(long inode) throws IOException {
        final String mark = " ino:" + Long.toHexString(inode) + ' ';
        try (DirectoryStream<Path> all = Files.newDirectoryStream(DESCRIPTORS)) {
            for (Path one : all) {
                if (isEpoll(one) && Files.readString(DETAILS.resolve(one.getFileName())).contains(mark)) {
                    return OptionalInt.of(Integer.parseInt(one.getFileName().toString()));
                }
            }
        }
        return OptionalInt.empty();
    }

    private static boolean isEpoll(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().equals(EPOLL);
        } catch (IOException e) {
            return false;                                       // closed meanwhile
        }
    }
}
