package io.teff.cluster.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.wire.Control;
import io.teff.cluster.net.wire.Frame;
import io.teff.cluster.net.wire.FrameChecker;
import io.teff.cluster.net.wire.FrameInput;
import io.teff.cluster.net.wire.Greeting;
import io.teff.cluster.net.wire.GreetingReader;
import io.teff.cluster.net.wire.Identity;
import io.teff.cluster.net.wire.ListenerHandshake;
import io.teff.cluster.net.wire.ProtocolException;
import io.teff.cluster.net.wire.Refusal;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints the content of a golden file, one JSON object per message, using the production decoders. */
final class GoldenReader {
    private static final HexFormat HEX = HexFormat.of();

    private final List<String> lines = new ArrayList<>();
    private byte[] secret = new byte[0];
    private @Nullable Side dialer;
    private @Nullable Side listener;

    /** One side of a recorded conversation. */
    private final class Side implements FrameInput.Sink {
        private final String name;
        private final GreetingReader greetings = new GreetingReader();
        private final FrameInput input = new FrameInput(new FrameChecker());
        private final List<Greeting> said = new ArrayList<>();
        private boolean isGreeting = true;

        Side(String name) {
            this.name = name;
        }

        /** Continues with another link of the same session. */
        void goOn() {
            isGreeting = true;
            said.clear();
            input.restart();
        }

        void take(byte[] bytes) throws IOException {
            final ByteBuffer left = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            while (isGreeting && left.hasRemaining()) {
                final Greeting message = Objects.requireNonNull(greetings.read(left));
                said.add(message);
                print(name, message);
                isGreeting = !(message instanceof Greeting.Proof);
                if (message instanceof Greeting.Proof it && it.isWelcome()) {
                    prove();
                }
            }
            input.take(MemorySegment.ofArray(bytes), left.position(), left.remaining(), this);
        }

        @Override
        public void frame(MemorySegment memory, long at) {
            print(name, memory, at, input.position());
        }

        @Override
        public void control(MemorySegment memory, long at) throws ProtocolException {
            printControl(name, memory, at);
        }
    }

    List<String> read(List<GoldenFile.Entry> entries) {
        for (GoldenFile.Entry it : entries) {
            try {
                read(it);
            } catch (IOException e) {
                line(it.name(), "refused", Map.of());
            }
        }
        return lines;
    }

    private void read(GoldenFile.Entry entry) throws IOException {
        switch (entry.name()) {
            case "conversation" -> {
                secret = HEX.parseHex(entry.say("secret"));
                if (entry.say("resumed").isEmpty()) {
                    dialer = new Side("dialer");
                    listener = new Side("listener");
                } else {
                    Objects.requireNonNull(dialer).goOn();
                    Objects.requireNonNull(listener).goOn();
                }
            }
            case "dialer" -> Objects.requireNonNull(dialer).take(entry.bytes());
            case "listener" -> Objects.requireNonNull(listener).take(entry.bytes());
            case "greeting" -> print("greeting", Objects.requireNonNull(new GreetingReader().read(
                ByteBuffer.wrap(entry.bytes()).order(ByteOrder.LITTLE_ENDIAN))));
            case "frames" -> {
                final Side side = new Side("frames");
                side.isGreeting = false;
                side.take(entry.bytes());
                if (side.input.partBytes() > 0) {
                    line("frames", "part", Map.of("bytes", side.input.partBytes()));
                }
            }
            default -> throw new AssertionError(entry.head());
        }
    }

    /** The listener's own handshake, given the recorded random numbers, must reproduce the recorded bytes. */
    private void prove() throws IOException {
        final List<Greeting> dialed = Objects.requireNonNull(dialer).said;
        final List<Greeting> called = Objects.requireNonNull(listener).said;
        final Greeting.Challenge challenge = (Greeting.Challenge) called.get(0);
        final Greeting.Proof welcome = (Greeting.Proof) called.get(1);
        final Greeting.Hello hello = (Greeting.Hello) dialed.get(0);
        final ListenerHandshake again = new ListenerHandshake(new Identity(challenge.nid(), challenge.incarnation(),
            hello.cluster(), challenge.features()), secret, challenge.nonce(),
            new ListenerHandshake.Host() {
                @Override
                public @Nullable Refusal check(Greeting.Hello it) {
                    return null;
                }

                @Override
                public Greeting.Proof welcome(Greeting.Hello it, Greeting.Proof offered) {
                    return welcome;
                }
            });
        assertArrayEquals(challenge.toBytes(), again.take(hello));
        assertArrayEquals(welcome.toBytes(), again.take(dialed.get(1)));
        line("conversation", "proved", Map.of());
    }

    // ---- printing ----

    private void line(String by, String kind, Map<String, ?> says) {
        final Map<String, Object> all = new TreeMap<>(says);
        all.put("by", by);
        all.put("kind", kind);
        lines.add(all.entrySet().stream().map(it -> "\"" + it.getKey() + "\":"
            + (it.getValue() instanceof String text ? "\"" + text + "\"" : String.valueOf(it.getValue())))
            .collect(Collectors.joining(",", "{", "}")));
    }

    private static String id(ClusterId cluster) {
        return HEX.toHexDigits(Long.reverseBytes(cluster.high())) + HEX.toHexDigits(Long.reverseBytes(cluster.low()));
    }

    private void print(String by, Greeting message) {
        switch (message) {
            case Greeting.Hello it -> line(by, "hello", Map.of("lowest", it.lowestVersion(), "highest",
                it.highestVersion(), "nid", it.nid(), "called", it.calledNid(), "incarnation", it.incarnation(),
                "features", it.features(), "cluster", id(it.cluster()), "name", it.cluster().name(),
                "nonce", HEX.formatHex(it.nonce())));
            case Greeting.Challenge it -> line(by, "challenge", Map.of("nonce", HEX.formatHex(it.nonce()),
                "incarnation", it.incarnation(), "nid", it.nid(), "version", it.version(), "features",
                it.features(), "cluster", id(it.cluster()), "name", it.cluster().name()));
            case Greeting.Proof it -> line(by, it.isWelcome() ? "welcome" : "proof", Map.of("mac",
                HEX.formatHex(it.mac()), "session", it.session(), "received", it.received(), "limit", it.limit(),
                "mode", it.isResumed() ? 1 : 0));
            case Greeting.Refused it -> line(by, "refusal", Map.of("code", it.code(), "cluster",
                id(it.cluster()), "name", it.cluster().name()));
            case Greeting.Elsewhere it -> line(by, "elsewhere", Map.of("port", it.port()));
        }
    }

    private void print(String by, MemorySegment memory, long at, long end) {
        final int length = Frame.length(memory, at);
        final int flags = Frame.flags(memory, at);
        final int head = Frame.headBytes(flags);
        final byte[] payload = new byte[length - head];
        Frame.copyOut(memory, at + head, payload, 0, payload.length);
        final Map<String, Object> says = new TreeMap<>(Map.of("at", end - Frame.taken(length), "type",
            Frame.type(memory, at), "lane", Frame.lane(memory, at), "flags", flags, "payload",
            HEX.formatHex(payload)));
        if (head == Frame.LONG_HEAD_BYTES) {
            says.put("correlation", Frame.correlation(memory, at));
        }
        line(by, "frame", says);
    }

    private void printControl(String by, MemorySegment memory, long at) throws ProtocolException {
        if (Control.check(memory, at) == Control.PROGRESS) {
            line(by, "progress", Map.of("received", Control.received(memory, at), "limit",
                Control.limit(memory, at)));
        } else {
            line(by, "closing", Map.of("code", Control.code(memory, at)));
        }
    }
}
