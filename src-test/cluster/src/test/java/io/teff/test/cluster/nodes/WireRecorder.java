package io.teff.test.cluster.nodes;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * A port in front of the port of a node. The recorder passes each connection on to the node, and keeps all bytes of
 * both directions. Thread-safe.
 * <pre>
 *   node or client ──> port() ──> recorder ──> target, the port of the node
 * </pre>
 */
final class WireRecorder implements AutoCloseable {
    /** Local ports of all connections that recorders of this process have made to nodes. */
    private static final Set<Integer> OUTGOING = ConcurrentHashMap.newKeySet();
    private static final int ESTABLISHED = 1;

    private final int target;
    private final ServerSocket listening;
    private final List<Recorded> recorded = new CopyOnWriteArrayList<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    /** The bytes of a connection in both directions. */
    static final class Recorded {
        private final ByteArrayOutputStream asked = new ByteArrayOutputStream();
        private final ByteArrayOutputStream answered = new ByteArrayOutputStream();

        /** Returns the bytes of the calling side. */
        byte[] asked() {
            return copy(asked);
        }

        /** Returns the bytes of the node. */
        byte[] answered() {
            return copy(answered);
        }

        private static byte[] copy(ByteArrayOutputStream bytes) {
            synchronized (bytes) {
                return bytes.toByteArray();
            }
        }
    }

    /** Begins to record in front of a port of this machine. The node need not listen yet. */
    WireRecorder(int target) throws IOException {
        this.target = target;
        listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /** Returns the port for callers. */
    int port() {
        return listening.getLocalPort();
    }

    /** Returns the connections up to now that have carried bytes in both directions. */
    List<Recorded> recorded() {
        return recorded.stream().filter(each -> each.asked().length > 0 && each.answered().length > 0).toList();
    }

    private void accept() {
        try {
            while (!listening.isClosed()) {
                Socket caller = listening.accept();
                sockets.add(caller);
                Thread.ofVirtual().start(() -> pass(caller));
            }
        } catch (IOException _) {
            return;                                             // the recorder is closed
        }
    }

    private void pass(Socket caller) {
        try (caller; Socket node = new Socket()) {
            node.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            OUTGOING.add(node.getLocalPort());
            node.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
            sockets.add(node);
            Recorded bytes = new Recorded();
            recorded.add(bytes);
            Thread back = Thread.ofVirtual().start(() -> copy(node, caller, bytes.answered));
            copy(caller, node, bytes.asked);
            back.join();
        } catch (IOException _) {
            return;                                             // nothing listens yet, or a side has closed the link
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void copy(Socket from, Socket to, ByteArrayOutputStream seen) {
        byte[] bytes = new byte[16 << 10];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                synchronized (seen) {
                    seen.write(bytes, 0, count);
                }
                out.write(bytes, 0, count);
            }
            to.shutdownOutput();
        } catch (IOException _) {
            close(from);
            close(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            return;                                             // closed all the same
        }
    }

    /** Returns established connections of this machine to some ports that no recorder has made. Linux only. */
    static List<String> bypasses(Set<Integer> targets) throws IOException {
        try (Stream<String> four = lines("tcp"); Stream<String> six = lines("tcp6")) {
            return Stream.concat(four, six).filter(line -> isBypass(line.strip().split("\\s+"), targets)).toList();
        }
    }

    private static Stream<String> lines(String table) throws IOException {
        Path file = Path.of("/proc/self/net", table);
        return Files.exists(file) ? Files.lines(file) : Stream.empty();
    }

    /** Words of a line: number, local and remote address with port, state, and others. */
    private static boolean isBypass(String[] words, Set<Integer> targets) {
        return words[1].contains(":") && Integer.parseInt(words[3], 16) == ESTABLISHED
            && targets.contains(port(words[2])) && !OUTGOING.contains(port(words[1]));
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1), 16);
    }

    @Override
    public void close() throws IOException {
        listening.close();
        sockets.forEach(WireRecorder::close);
    }
}
