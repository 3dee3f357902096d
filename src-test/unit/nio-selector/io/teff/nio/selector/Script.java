package io.teff.nio.selector;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A script of operations on the two ends of a connection, drawn from a seed. The results are lines of text. Two
 * providers that keep the contract of channels have equal lines.
 *
 * <p>Each operation has a single legal result: a script writes no more than the buffers of a connection hold, and reads
 * no more than was written.
 */
final class Script {
    private static final int BYTES_MAX = 20_000;
    private static final int UNREAD_MAX = 24_000;
    private static final long SELECT_MS = 10_000;

    /** One end of the connection. */
    private static final class End {
        private final SocketChannel channel;
        private final SelectorProvider provider;
        private int written;
        private int taken;
        private boolean isOutputShut;
        private boolean isInputShut;
        private boolean isClosed;

        End(SelectorProvider provider, SocketChannel channel) {
            this.provider = provider;
            this.channel = channel;
        }

        private String state() {
            return String.join(" ", String.valueOf(written), String.valueOf(taken), String.valueOf(isOutputShut),
                String.valueOf(isInputShut), String.valueOf(isClosed));
        }

        private void set(String state) {
            final String[] words = state.split(" ");
            written = Integer.parseInt(words[0]);
            taken = Integer.parseInt(words[1]);
            isOutputShut = Boolean.parseBoolean(words[2]);
            isInputShut = Boolean.parseBoolean(words[3]);
            isClosed = Boolean.parseBoolean(words[4]);
        }
    }

    /** What the two ends tell each other behind each step, if they are in different processes. */
    interface Turns {
        void tell(String state) throws IOException;

        String hear() throws IOException;
    }

    private static final String MARK = "\u0001";

    private SplittableRandom random;
    private final List<String> lines = new ArrayList<>();
    private final End[] ends = new End[2];

    private Script(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Runs the script of a seed; returns the results. */
    static List<String> run(long seed, int steps, SelectorProvider client, SelectorProvider server)
            throws IOException {
        final Script script = new Script(seed);
        try (ServerSocketChannel listener = server.openServerSocketChannel()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            script.connect(client, server, listener);
            try {
                for (int i = 0; i < steps && !script.isOver(); i++) {
                    script.step(script.random.nextInt(2));
                }
                script.closeAll();
            } finally {
                script.ends[0].channel.close();
                script.ends[1].channel.close();
            }
        }
        return script.lines;
    }

    /**
     * Runs the steps of an end of a script whose other end is in another process; returns the results of both ends.
     *
     * @param side 0 for the client, 1 for the server
     */
    static List<String> runEnd(long seed, int steps, int side, SocketChannel channel, SelectorProvider provider,
            Turns turns) throws IOException {
        final Script script = new Script(seed);
        script.ends[side] = new End(provider, channel);
        script.ends[1 - side] = new End(provider, channel);     // its numbers count alone
        try {
            for (int i = 0; i < steps && !script.isOver(); i++) {
                script.random = new SplittableRandom(seed * 1_000 + i);
                final int actor = script.random.nextInt(2);
                script.turn(actor == side, turns, () -> script.step(actor));
            }
            script.random = new SplittableRandom(seed * 1_000 + steps);
            final int closer = script.closer();
            if (script.isClosable(closer)) {
                final boolean isReset = script.isReset(closer);
                script.turn(closer == side, turns, () -> script.close(closer, isReset));
                script.turn(closer != side, turns, () -> script.readRest(closer, isReset));
            }
        } finally {
            channel.close();
        }
        return script.lines;
    }

    private interface Turn {
        void run() throws IOException;
    }

    private void turn(boolean isOwn, Turns turns, Turn step) throws IOException {
        final int before = lines.size();
        if (isOwn) {
            step.run();
            turns.tell(ends[0].state() + MARK + ends[1].state() + MARK
                + String.join(MARK, lines.subList(before, lines.size())));
        } else {
            final String[] parts = turns.hear().split(MARK, -1);
            ends[0].set(parts[0]);
            ends[1].set(parts[1]);
            for (int i = 2; i < parts.length; i++) {
                if (!parts[i].isEmpty()) {
                    note(parts[i]);
                }
            }
        }
    }

    private void connect(SelectorProvider client, SelectorProvider server, ServerSocketChannel listener)
            throws IOException {
        final SocketChannel dialed = client.openSocketChannel();
        if (random.nextBoolean()) {
            note("connect " + dialed.connect(listener.getLocalAddress()));
        } else {
            dialed.configureBlocking(false);
            try (Selector selector = client.openSelector()) {
                final SelectionKey key = dialed.register(selector, SelectionKey.OP_CONNECT);
                if (!dialed.connect(listener.getLocalAddress())) {
                    selector.select(SELECT_MS);
                    note("pending " + key.isConnectable() + " " + dialed.finishConnect());
                } else {
                    note("pending true true");
                }
            }
            dialed.configureBlocking(true);
        }
        ends[0] = new End(client, dialed);
        if (random.nextInt(3) == 0) {
            final ByteBuffer early = bytes(ends[0], random.nextInt(BYTES_MAX));
            ends[0].written = early.limit();
            note("early " + dialed.write(early));
        }
        final SocketChannel accepted = listener.accept();
        ends[1] = new End(server, accepted);
        note("ports " + (port(dialed, true) == port(accepted, false)) + (port(dialed, false) == port(accepted, true))
            + dialed.isConnected() + accepted.isConnected() + accepted.isBlocking());
    }

    private static int port(SocketChannel channel, boolean isLocal) throws IOException {
        return ((InetSocketAddress) (isLocal ? channel.getLocalAddress() : channel.getRemoteAddress())).getPort();
    }

    private void note(String line) {
        lines.add(line);
    }

    private boolean isOver() {
        return ends[0].isClosed || ends[1].isClosed;
    }

    private void step(int side) throws IOException {
        final End from = ends[side];
        final End to = ends[1 - side];
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3 -> write(from, to, false);
            case 4, 5 -> write(from, to, true);
            case 6, 7, 8, 9 -> read(from, to, false);
            case 10, 11 -> read(from, to, true);
            case 12 -> readNothing(from, to);
            case 13, 14 -> selectOn(from, to);
            case 15 -> options(from);
            case 16 -> stream(from, to);
            case 17 -> shut(from, to);
            case 18 -> empty(from);
            default -> end(from);
        }
    }

    /** Ends the connection, in one of several steps that draw an end. */
    private void end(End from) throws IOException {
        if (random.nextInt(6) == 0) {
            note("close");
            from.channel.close();
            from.isClosed = true;
            note(outcome(() -> from.channel.read(ByteBuffer.allocate(1))));
            note(outcome(() -> from.channel.write(ByteBuffer.allocate(1))));
            note("open " + from.channel.isOpen() + from.channel.socket().isClosed());
        }
    }

    private interface Step {
        Object run() throws IOException;
    }

    private static String outcome(Step step) {
        try {
            return String.valueOf(step.run());
        } catch (IOException | RuntimeException e) {
            final boolean isKind = e instanceof ClosedChannelException || e instanceof RuntimeException;
            return e.getClass().getSimpleName() + (isKind ? "" : " " + e.getMessage());
        }
    }

    private static byte byteAt(int index) {
        return (byte) (index * 31 + (index >>> 8));
    }

    private ByteBuffer bytes(End from, int count) {
        final ByteBuffer buffer = random.nextBoolean() ? ByteBuffer.allocate(count) : ByteBuffer.allocateDirect(count);
        for (int i = 0; i < count; i++) {
            buffer.put(byteAt(from.written + i));
        }
        return buffer.flip();
    }

    private void write(End from, End to, boolean isGathering) throws IOException {
        final int count = Math.min(random.nextInt(8) == 0 ? random.nextInt(BYTES_MAX) : random.nextInt(600),
            UNREAD_MAX - (from.written - to.taken));
        final ByteBuffer all = bytes(from, Math.max(count, 0));
        if (to.isInputShut) {
            return;                                             // JDKs and systems differ in what happens to the bytes
        }
        final ByteBuffer[] parts = {all.slice(0, count / 3), all.slice(count / 3, count - count / 3)};
        final String result = outcome(() -> isGathering ? from.channel.write(parts) : from.channel.write(all));
        note("write " + count + " " + result);
        if (!from.isOutputShut) {
            from.written += count;
        }
    }

    private void read(End from, End to, boolean isScattering) throws IOException {
        final int left = to.written - from.taken;
        if (from.isInputShut || left == 0 && !to.isOutputShut) {
            return;
        }
        final int wanted = left == 0 ? 1 : 1 + random.nextInt(left);
        final ByteBuffer all = random.nextBoolean() ? ByteBuffer.allocate(wanted) : ByteBuffer.allocateDirect(wanted);
        final ByteBuffer[] parts = {all.slice(0, wanted / 2), all.slice(wanted / 2, wanted - wanted / 2)};
        if (left == 0) {
            note("read at the end " + outcome(() -> isScattering ? from.channel.read(parts) : from.channel.read(all)));
            return;
        }
        int count = 0;
        while (count < wanted) {                                // a read may bring less
            count += (int) (isScattering ? from.channel.read(parts) : from.channel.read(all));
        }
        check(from, isScattering ? all.position(0).limit(wanted) : all.flip());
        note("read " + wanted);
    }

    private void check(End from, ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            final byte expected = byteAt(from.taken++);
            final byte found = bytes.get();
            if (found != expected) {
                throw new AssertionError("byte " + (from.taken - 1) + " is " + found + ", not " + expected);
            }
        }
    }

    private void readNothing(End from, End to) throws IOException {
        if (to.written == from.taken && !to.isOutputShut && !from.isInputShut) {
            from.channel.configureBlocking(false);
            note("read nothing " + outcome(() -> from.channel.read(ByteBuffer.allocate(5))));
            from.channel.configureBlocking(true);
        }
    }

    private void selectOn(End from, End to) throws IOException {
        from.channel.configureBlocking(false);
        try (Selector selector = from.provider.openSelector()) {
            final boolean hasBytes = to.written > from.taken || to.isOutputShut || from.isInputShut;
            final int ops = hasBytes && random.nextBoolean() ? SelectionKey.OP_READ : SelectionKey.OP_WRITE;
            final SelectionKey key = from.channel.register(selector, ops, "attached");
            final int count = selector.select(SELECT_MS);
            note("select " + ops + " " + count + " " + key.readyOps() + key.attachment() + selector.keys().size()
                + selector.selectedKeys().size());
            note("again " + selector.selectNow() + " "
                + selector.selectNow(ready -> note("ready " + ready.readyOps())));
            selector.selectedKeys().clear();
            key.interestOps(0);
            note("none " + selector.selectNow() + selector.selectedKeys().size());
            note(outcome(() -> from.channel.configureBlocking(true)));
            key.cancel();
            note("cancelled " + key.isValid() + outcome(key::readyOps) + from.channel.isRegistered());
            note("blocking " + outcome(() -> from.channel.configureBlocking(true).isBlocking())
                + outcome(() -> from.channel.configureBlocking(false).isBlocking()));
            selector.wakeup();
            note("woken " + selector.select());
            note("registered " + from.channel.isRegistered() + selector.keys().size());
        }
        from.channel.configureBlocking(true);
    }

    private void options(End from) throws IOException {
        final boolean isOn = random.nextBoolean();
        note("options " + from.channel.setOption(StandardSocketOptions.TCP_NODELAY, isOn)
            .getOption(StandardSocketOptions.TCP_NODELAY) + from.channel.socket().getTcpNoDelay());
        from.channel.socket().setKeepAlive(isOn);
        note("options " + from.channel.getOption(StandardSocketOptions.SO_KEEPALIVE)
            + outcome(() -> from.channel.supportedOptions().size()) + from.channel.socket().isBound());
    }

    private void stream(End from, End to) throws IOException {
        if (from.isInputShut) {
            note("stream " + outcome(() -> from.channel.socket().getInputStream() != null));
        } else if (to.written > from.taken) {
            final InputStream input = from.channel.socket().getInputStream();
            check(from, ByteBuffer.wrap(new byte[] {(byte) input.read()}));
            note("stream 1");
        } else if (!to.isOutputShut) {
            from.channel.socket().setSoTimeout(1);
            note("stream " + outcome(() -> from.channel.socket().getInputStream().read()));
            from.channel.socket().setSoTimeout(0);
        }
    }

    private void shut(End from, End to) throws IOException {
        if (random.nextInt(4) != 0) {
            return;
        }
        if (random.nextInt(3) != 0) {
            from.channel.shutdownOutput();
            from.isOutputShut = true;
            from.channel.configureBlocking(false);
            note("output " + outcome(() -> from.channel.write(ByteBuffer.allocate(1))));
            from.channel.configureBlocking(true);
            note("output " + outcome(() -> from.channel.write(ByteBuffer.allocate(1)))
                + from.channel.socket().isOutputShutdown());
        } else if (to.written == from.taken) {
            from.channel.shutdownInput();
            from.isInputShut = true;
            note("input " + outcome(() -> from.channel.read(ByteBuffer.allocate(1)))
                + from.channel.socket().isInputShutdown());
        }
    }

    private void empty(End from) {
        note("empty " + outcome(() -> from.isOutputShut ? 0 : from.channel.write(ByteBuffer.allocate(0)))
            + outcome(() -> from.channel.connect(new InetSocketAddress("127.0.0.1", 1)))
            + outcome(() -> from.channel.finishConnect())
            + outcome(() -> from.channel.read(ByteBuffer.allocate(4).asReadOnlyBuffer())));
    }

    /** Closes an end, and reads the other end to its end: by a close, or by a reset. */
    private void closeAll() throws IOException {
        final int side = closer();
        if (isClosable(side)) {
            final boolean isReset = isReset(side);
            close(side, isReset);
            readRest(side, isReset);
        }
    }

    private int closer() {
        return ends[0].isClosed ? 0 : ends[1].isClosed ? 1 : random.nextInt(2);
    }

    /** A close with unread bytes is a reset, now or later. */
    private boolean isClosable(int side) {
        final End from = ends[side];
        final End to = ends[1 - side];
        return !from.isInputShut && from.taken >= to.written && !to.isInputShut;
    }

    private boolean isReset(int side) {
        final End from = ends[side];
        return !from.isClosed && random.nextInt(4) == 0 && ends[1 - side].taken == from.written && !from.isOutputShut;
    }

    private void close(int side, boolean isReset) throws IOException {
        final End from = ends[side];
        if (isReset) {
            from.channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        }
        from.channel.close();
    }

    private void readRest(int side, boolean isReset) throws IOException {
        final End from = ends[side];
        final End to = ends[1 - side];
        if (isReset) {
            note("reset " + outcome(() -> to.channel.read(ByteBuffer.allocate(1))));
            return;
        }
        final ByteBuffer rest = ByteBuffer.allocate(from.written - to.taken + 1);
        String result = "";
        while (result.isEmpty()) {
            try {
                result = to.channel.read(rest) < 0 ? "end" : "";
            } catch (SocketException e) {
                result = e.getMessage();
            }
        }
        check(to, rest.flip());
        note("closed " + (from.written - to.taken) + " " + result);
    }
}
