package io.teff.nio.selector;

import io.teff.nio.selector.report.LinkReason;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A program in a network namespace of its own, which does what lines of its input say, and answers each with a line.
 * The settings are system properties; {@code -Dprogram.provider=jdk} takes the provider of the JDK.
 */
final class RemoteProgram {
    /** More bytes than go over TCP before ACCEPTED. */
    static final int LATE_BYTES = 50_000;
    private static final int SIZE = 50_000;
    private static final int STEPS = 60;
    private static final boolean IS_PLAIN = "jdk".equals(System.getProperty("program.provider"));

    private final TeffSelectorProvider own = TeffSelectorProvider.create(SelectorSettings.ofProperties());
    private final SelectorProvider provider = IS_PLAIN ? SelectorProvider.provider() : own;
    private final BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));

    private RemoteProgram() {}

    public static void main(String[] arguments) throws IOException {
        new RemoteProgram().run();
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private void run() throws IOException {
        say("ready");
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            final String[] words = line.split(" ");
            switch (words[0]) {
                case "listen" -> listen(Integer.parseInt(words[1]), words[2]);
                case "echo" -> say(echo(words.length > 4 ? words[4] : "", address(words), Integer.parseInt(words[3])));
                case "greeted" -> say(greeted(address(words)));
                case "hold" -> hold(address(words));
                case "stream" -> stream(address(words));
                case "script" -> script(words);
                case "counts" -> say(counts());
                default -> throw new IOException("what is " + line);
            }
        }
    }

    private static InetSocketAddress address(String[] words) {
        return new InetSocketAddress(words[1], Integer.parseInt(words[2]));
    }

    private String counts() {
        final StringBuilder text = new StringBuilder();
        own.counts().forEach((reason, count) -> {
            if (count > 0) {
                text.append(reason).append('=').append(count).append(' ');
            }
        });
        return text.append("| ").append(own.lastFailure()).toString().replace('\n', ' ');
    }

    // ---- the server ----

    /** Listens; the way is echo, or speak: the server speaks first, or late: it answers behind {@link #LATE_BYTES}. */
    private void listen(int port, String way) throws IOException {
        final ServerSocketChannel listener = provider.openServerSocketChannel();
        listener.bind(new InetSocketAddress(port));
        Thread.ofPlatform().daemon().start(() -> {
            try {
                while (true) {
                    final SocketChannel channel = listener.accept();
                    Thread.ofVirtual().start(() -> serve(channel, way));
                }
            } catch (IOException e) {
                say("listener: " + e);
            }
        });
        say("listening");
    }

    private static void serve(SocketChannel channel, String way) {
        final ByteBuffer bytes = ByteBuffer.allocateDirect(SIZE);
        try (channel) {
            if (way.equals("speak")) {
                channel.write(ByteBuffer.wrap("hello".getBytes(StandardCharsets.US_ASCII)));
            }
            if (way.equals("late")) {
                final ByteBuffer first = ByteBuffer.allocate(LATE_BYTES);
                while (first.hasRemaining() && channel.read(first) >= 0) {
                    continue;
                }
                channel.write(first.flip());
            }
            while (channel.read(bytes.clear()) >= 0) {
                bytes.flip();
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
        } catch (IOException e) {
            assert !channel.isOpen();                           // what the client reports
        }
    }

    // ---- the client ----

    private long ucx() {
        return own.counts().get(LinkReason.UCX);
    }

    private String echo(String from, InetSocketAddress to, int size) {
        final long before = ucx();
        final long begin = System.nanoTime();
        try (SocketChannel channel = provider.openSocketChannel()) {
            if (!from.isEmpty()) {
                channel.bind(new InetSocketAddress(from, 0));
            }
            channel.connect(to);
            final double ms = (System.nanoTime() - begin) / 1_000 / 1_000.0;
            final byte[] sent = new byte[size];
            new SplittableRandom(size).nextBytes(sent);
            final ByteBuffer answer = ByteBuffer.allocate(size);
            for (int at = 0; at < size; at += SIZE) {
                final ByteBuffer part = ByteBuffer.wrap(sent, at, Math.min(SIZE, size - at));
                final int end = part.limit();
                while (part.hasRemaining()) {
                    channel.write(part);
                }
                while (answer.position() < end) {
                    if (channel.read(answer) < 0) {
                        return "echo end at " + answer.position();
                    }
                }
            }
            return "echo " + (Arrays.equals(sent, answer.array()) ? "right" : "wrong") + " "
                + (ucx() > before ? "ucx" : "tcp") + " " + ms + " ms";
        } catch (IOException e) {
            return "echo " + e;
        }
    }

    private String greeted(InetSocketAddress to) {
        final long before = ucx();
        try (SocketChannel channel = provider.openSocketChannel()) {
            channel.connect(to);
            final ByteBuffer hello = ByteBuffer.allocate(5);
            while (hello.hasRemaining() && channel.read(hello) >= 0) {
                continue;
            }
            return "greeted " + new String(hello.array(), StandardCharsets.US_ASCII) + " "
                + (ucx() > before ? "ucx" : "tcp");
        } catch (IOException e) {
            return "greeted " + e;
        }
    }

    /** Connects, says so, and reads until the end. */
    private void hold(InetSocketAddress to) {
        try (SocketChannel channel = provider.openSocketChannel()) {
            final long before = ucx();
            channel.connect(to);
            channel.write(ByteBuffer.wrap(new byte[1]));
            channel.read(ByteBuffer.allocate(1));
            say("holding " + (ucx() > before ? "ucx" : "tcp"));
            say("held " + channel.read(ByteBuffer.allocate(1)));
        } catch (IOException e) {
            say("held " + e);
        }
    }

    /** Sends and compares bytes until a line comes, or the connection ends. */
    private void stream(InetSocketAddress to) throws IOException {
        long count = 0;
        try (SocketChannel channel = provider.openSocketChannel()) {
            final long before = ucx();
            channel.connect(to);
            say("streaming " + (ucx() > before ? "ucx" : "tcp"));
            final ByteBuffer bytes = ByteBuffer.allocateDirect(SIZE);
            while (!input.ready()) {
                final long seed = count;
                bytes.clear();
                for (int i = 0; i < SIZE; i += Long.BYTES) {
                    bytes.putLong(i, seed + i);
                }
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                bytes.clear();
                while (bytes.hasRemaining()) {
                    if (channel.read(bytes) < 0) {
                        say("streamed to an end");
                        return;
                    }
                }
                for (int i = 0; i < SIZE; i += Long.BYTES) {
                    if (bytes.getLong(i) != seed + i) {
                        say("streamed wrong bytes");
                        return;
                    }
                }
                count += SIZE;
            }
            say("streamed right " + count);
            input.readLine();
        } catch (IOException e) {
            say("streamed " + e);
        }
    }

    // ---- scripts of which the other end is in another process ----

    /** The words: script, address or port to listen at, port or 0 to listen, first seed, count. */
    private void script(String[] words) throws IOException {
        final int port = Integer.parseInt(words[2]);
        final long first = Long.parseLong(words[3]);
        final int count = Integer.parseInt(words[4]);
        final boolean isClient = words[1].indexOf('.') > 0;
        try (ServerSocketChannel listener = provider.openServerSocketChannel()) {
            if (!isClient) {
                listener.bind(new InetSocketAddress(port));
                say("listening");
            }
            for (long seed = first; seed < first + count; seed++) {
                final SocketChannel channel = isClient ? provider.openSocketChannel() : listener.accept();
                if (isClient) {
                    channel.connect(address(words));
                }
                say("begun");
                final List<String> lines = Script.runEnd(seed, STEPS, isClient ? 0 : 1, channel, provider,
                    new Script.Turns() {
                        @Override
                        public void tell(String state) {
                            say("turn " + state);
                        }

                        @Override
                        public String hear() throws IOException {
                            return input.readLine();
                        }
                    });
                say("lines " + String.join("\u0001", lines));
            }
        }
        say("done " + counts());
    }
}
