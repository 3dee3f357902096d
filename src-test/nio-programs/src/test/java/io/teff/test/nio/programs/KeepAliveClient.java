package io.teff.test.nio.programs;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Many HTTP connections of one thread with a selector, which all stay open and send one request after the other. */
final class KeepAliveClient {
    private static final long SELECT_MS = 60_000;
    private static final int SIZE_MAX = 40_000;
    private static final int BODY_STEP = 37;
    private static final int BODY_LIMIT = 3_000;
    private static final byte[] HEAD_END = {'\r', '\n', '\r', '\n'};

    /** A connection. */
    private static final class Connection {
        private final SocketChannel channel;
        private final ByteBuffer arrived = ByteBuffer.allocate(SIZE_MAX);
        private ByteBuffer request = ByteBuffer.allocate(0);
        private byte[] body = {};
        private int answers;

        Connection(SocketChannel channel) {
            this.channel = channel;
        }

        void next(int number) {
            body = ("connection " + number + " request " + answers + " ").repeat(1 + answers * BODY_STEP % BODY_LIMIT
                / 30).getBytes(StandardCharsets.US_ASCII);
            final byte[] head = ("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length
                + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
            request = ByteBuffer.allocate(head.length + body.length).put(head).put(body).flip();
            arrived.clear();
        }

        /** Reads; returns whether the answer is whole, and right. */
        boolean read() throws IOException {
            if (channel.read(arrived) < 0) {
                throw new EOFException("behind " + answers + " answers of " + channel);
            }
            final String text = new String(arrived.array(), 0, arrived.position(), StandardCharsets.ISO_8859_1);
            final int headEnd = text.indexOf(new String(HEAD_END, StandardCharsets.US_ASCII));
            if (headEnd < 0 || arrived.position() < headEnd + HEAD_END.length + body.length) {
                return false;
            }
            if (!text.startsWith("HTTP/1.1 200") || !text.substring(headEnd + HEAD_END.length)
                    .equals(new String(body, StandardCharsets.US_ASCII))) {
                throw new IOException("answer " + answers + " of " + channel + ": " + text);
            }
            answers++;
            return true;
        }
    }

    private KeepAliveClient() {}

    public static void main(String[] arguments) throws IOException {
        final InetSocketAddress server = new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0]));
        final int count = Integer.parseInt(arguments[1]);
        final int seconds = Integer.parseInt(arguments[2]);
        final List<Connection> all = new ArrayList<>();
        long answers = 0;
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < count; i++) {
                final SocketChannel channel = SocketChannel.open(server);
                channel.configureBlocking(false);
                final Connection connection = new Connection(channel);
                all.add(connection);
                channel.register(selector, SelectionKey.OP_WRITE, connection);
                connection.next(i);
            }
            final long beginNs = System.nanoTime();
            int open = count;
            while (open > 0) {
                if (selector.select(SELECT_MS) == 0) {
                    throw new IOException("no answer for a minute; " + open + " connections wait");
                }
                for (SelectionKey key : selector.selectedKeys()) {
                    final Connection connection = (Connection) key.attachment();
                    if (key.isWritable()) {
                        connection.channel.write(connection.request);
                        key.interestOps(connection.request.hasRemaining() ? SelectionKey.OP_WRITE
                            : SelectionKey.OP_READ);
                    } else if (connection.read()) {
                        answers++;
                        if (Told.isOver(beginNs, seconds) && connection.answers > 1) {
                            key.interestOps(0);
                            open--;
                        } else {
                            connection.next(connection.answers);
                            key.interestOps(SelectionKey.OP_WRITE);
                        }
                    }
                }
                selector.selectedKeys().clear();
            }
            for (Connection connection : all) {
                connection.channel.close();
            }
        }
        Told.counts();
        Told.line(Told.DONE, answers);
    }
}
