package io.teff.cluster.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.cluster.net.GoldenFile.Entry;
import io.teff.cluster.net.agent.LoopTap;
import io.teff.cluster.net.agent.Transports;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.loop.LoopProvider;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.cluster.net.transport.Transport;
import io.teff.cluster.net.transport.TransportOptions;
import io.teff.cluster.net.wire.Control;
import io.teff.cluster.net.wire.Frame;
import io.teff.cluster.net.wire.FrameChecker;
import io.teff.cluster.net.wire.Greeting;
import io.teff.cluster.net.wire.Refusal;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.os.Clock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Goal: the bytes on the wire are those of {@code docs/PROTOCOL.md}, today and after each change.
 *
 * <p>Method: files of bytes, written once. Two nodes with a fixed clock and fixed random numbers must send exactly the
 * bytes of the first file, and the encoder must write the bytes of the other files. The decoder and a second decoder,
 * written in Python from the page alone, must read the same from all files.
 */
final class GoldenTest {
    /** The second file is the conversation of nodes without optional features. */
    private static final List<String> FILES = List.of("conversation.hex", "plain.hex", "frames.hex", "refused.hex");
    private static final ClusterId CLUSTER = new ClusterId(0x0102_0304_0506_0708L, 0x1112_1314_1516_1718L, "orders");
    private static final byte[] SECRET = "sixteen bytes at".getBytes(StandardCharsets.US_ASCII);
    private static final MessageType<Long> NUMBERS = MessageType.of(1, Codecs.LONG);
    private static final MessageType<byte[]> BYTES = MessageType.of(2, Codecs.BYTES);
    private static final RequestType<Long, Long> SQUARES = RequestType.of(3, Codecs.LONG, Codecs.LONG);
    private static final RequestType<Long, Long> FAILING = RequestType.of(4, Codecs.LONG, Codecs.LONG);
    private static final RequestType<byte[], byte[]> ECHO = RequestType.of(5, Codecs.BYTES, Codecs.BYTES);
    private static final RequestType<Long, Long> UNKNOWN = RequestType.of(6, Codecs.LONG, Codecs.LONG);
    private static final long MILLISECOND = 1_000_000;
    private static final int DROPPED = Frame.FRAGMENT | Frame.LAST | Frame.SKIPPED;

    // ---- a conversation ----

    /** The dialer's transport, which records the bytes of both sides. */
    private static final class Tap extends LoopTap {
        private final List<Entry> said = new ArrayList<>();
        private final ByteArrayOutputStream now = new ByteArrayOutputStream();
        private String by = "";

        void say(String who, MemorySegment memory, long from, int bytes) {
            if (!who.equals(by)) {
                end();
                by = who;
            }
            now.writeBytes(memory.asSlice(from, bytes).toArray(ValueLayout.JAVA_BYTE));
        }

        void end() {
            if (now.size() > 0) {
                said.add(new Entry(by, now.toByteArray()));
                now.reset();
            }
        }

        @Override
        public Link connect(String address, LinkEvents events) throws IOException {
            end();
            final String secret = HexFormat.of().formatHex(SECRET);
            said.add(said.isEmpty() ? new Entry("conversation", new byte[0], "secret", secret)
                : new Entry("conversation", new byte[0], "secret", secret, "resumed", "yes"));
            final Link link = super.connect(address, new TappedEvents(events) {
                @Override
                public void bytes(MemorySegment memory, long from, int bytes) {
                    say("listener", memory, from, bytes);
                    super.bytes(memory, from, bytes);
                }
            });
            return new TappedLink(link) {
                @Override
                public int write(MemorySegment memory, long from, int bytes) {
                    final int taken = super.write(memory, from, bytes);
                    say("dialer", memory, from, taken);
                    return taken;
                }
            };
        }
    }

    /** A clock that stands still unless moved, and a random generator that counts. */
    private static final class Fixed implements Clock, RandomGenerator {
        private long ns;
        private long number;

        @Override
        public long nowNs() {
            return ns;
        }

        @Override
        public long nextLong() {
            return ++number;
        }
    }

    private static Network node(int nid, Fixed fixed, Transport transport) throws IOException {
        return new Network(NetworkConfig.builder(nid).listen("loop:golden-" + nid).addresses(to -> "loop:golden-" + to)
            .secret(SECRET).cluster(CLUSTER).handlers(Runnable::run)
            .ringBytes(1 << 14, 1 << 14).build(), fixed, fixed,
            List.of(new Transports(Map.of("loop", () -> transport), false)), 0x1000L + nid);
    }

    private static void run(Network one, Network two, Fixed fixed) {
        for (int i = 0; i < 20; i++) {
            while (one.agent().doWork() + two.agent().doWork() > 0) {
                fixed.ns++;
            }
            fixed.ns += MILLISECOND;
        }
    }

    private static List<Entry> conversation() throws IOException {
        final Tap tap = new Tap();
        final Fixed fixed = new Fixed();
        final Network one = node(1, fixed, tap);
        final Network two = node(2, fixed, new LoopProvider().open(new TransportOptions(null)));
        two.handle(NUMBERS, (from, number) -> { });
        two.handle(BYTES, (from, bytes) -> { });
        one.handle(NUMBERS, (from, number) -> { });
        two.answer(SQUARES, (from, number) -> number * number);
        two.answer(ECHO, (from, bytes) -> bytes);
        two.answer(FAILING, (from, number) -> {
            throw new IllegalStateException("no " + number);
        });
        one.send(2, NUMBERS, 7L);
        one.send(2, 9, BYTES, "lane nine".getBytes(StandardCharsets.US_ASCII));
        final CompletableFuture<Long> square = one.request(2, SQUARES, 12L);
        final CompletableFuture<Long> failed = one.request(2, FAILING, 5L);
        final CompletableFuture<Long> unknown = one.request(2, UNKNOWN, 6L);
        run(one, two, fixed);
        two.send(1, 255, NUMBERS, -1L);
        final CompletableFuture<byte[]> echo = one.request(2, ECHO, new byte[3000]);
        run(one, two, fixed);
        assertEquals(144, square.join());
        assertEquals(3000, echo.join().length);
        assertTrue(failed.isCompletedExceptionally() && unknown.isCompletedExceptionally());
        tap.poll();
        Objects.requireNonNull(one.agent().connection(2).channel()).fail(null);
        one.send(2, 1, NUMBERS, 8L);
        two.send(1, 1, NUMBERS, 9L);
        run(one, two, fixed);
        fixed.ns += 2000 * MILLISECOND;
        run(one, two, fixed);
        assertTrue(Objects.requireNonNull(one.agent().connection(2).channel()).closeToRest());
        run(one, two, fixed);
        one.send(2, 2, NUMBERS, 10L);
        run(one, two, fixed);
        one.close();
        two.close();
        tap.end();
        return tap.said;
    }

    // ---- frames ----

    /** One frame as the encoder writes it. */
    private static byte[] frame(long position, int type, int lane, int flags, long correlation, byte[] payload) {
        final int length = Frame.headBytes(flags) + payload.length;
        final MemorySegment memory = Arena.ofAuto().allocate(Frame.taken(length), Frame.ALIGNMENT);
        Frame.begin(memory, 0, type, lane, flags & ~Frame.CHECKED, correlation);
        Frame.copyIn(payload, 0, memory, Frame.headBytes(flags), payload.length);
        Frame.commit(memory, 0, length, position);
        if ((flags & Frame.CHECKED) != 0) {
            new FrameChecker().add(memory, 0);
        }
        return memory.toArray(ValueLayout.JAVA_BYTE);
    }

    private static byte[] control(boolean isChecked, long received, long limit) {
        final MemorySegment memory = Control.allocate();
        final int bytes = limit < 0 ? Control.putClosing(memory, 0, (int) received)
            : Control.putProgress(memory, 0, received, limit);
        if (isChecked) {
            new FrameChecker().add(memory, 0);
        }
        return memory.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE);
    }

    private static byte[] bytes(int count, int value) {
        final byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private static byte[] join(byte[]... parts) {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static List<Entry> frames() {
        final byte[] text = "text".getBytes(StandardCharsets.US_ASCII);
        final int request = Frame.REQUEST;
        final int response = Frame.RESPONSE;
        final int fragment = Frame.FRAGMENT;
        final int dropped = DROPPED;
        final int checked = Frame.CHECKED;
        final byte[] longest = bytes(Frame.BYTES_MAX - Frame.HEAD_BYTES, 0x5A);
        final List<Entry> all = new ArrayList<>(List.of(
            new Entry("frames", join(frame(0, 1, 0, 0, 0, new byte[0]), frame(16, 0xFFFF, 255, 0, 0, text),
                frame(40, 7, 1, request, 1, text), frame(72, 7, 1, response, 1, text),
                frame(104, 7, 0, response | Frame.FAILED, -1, join(new byte[] {2, 0}, text)),
                frame(136, 0, 0, Frame.SKIPPED, 0, text)), "what", "kinds"),
            new Entry("frames", join(frame(0, 3, 2, fragment, 77, bytes(1024, 1)), control(false, 4096, 1 << 20),
                frame(1048, 3, 2, fragment | Frame.LAST, 77, bytes(1, 2)),
                frame(1080, 3, 0, request | fragment, 78, bytes(1025, 3)),
                frame(2136, 3, 0, request | fragment | Frame.LAST, 78, new byte[0]),
                frame(2160, 3, 0, response | fragment | Frame.LAST, 78, text)), "what", "fragments"),
            new Entry("frames", join(frame(0, 3, 2, fragment, 77, bytes(1024, 1)),
                frame(1048, 3, 2, dropped, 77, new byte[0]), frame(1072, 3, 255, request | dropped, 78, new byte[0]),
                frame(1096, 3, 0, response | dropped, 79, new byte[0]),
                frame(1120, 3, 0, checked | dropped, -1, new byte[0])), "what", "dropped"),
            new Entry("frames", join(frame(0, 1, 3, checked, 0, text), frame(24, 1, 3, checked | request, 5, text),
                control(true, 64, 65_536), frame(56, 2, 3, checked | fragment, Long.MIN_VALUE, bytes(1024, 0xFF)),
                frame(1104, 0, 0, checked | Frame.SKIPPED, 0, new byte[3])), "what", "checked"),
            new Entry("frames", join(control(false, 0, 0), control(false, Long.MAX_VALUE & -8, Long.MAX_VALUE),
                control(true, 7, -1)), "what", "control"),
            new Entry("frames", join(control(false, 4096, 1 << 20), control(false, Control.REST, -1)), "what", "rest"),
            new Entry("frames", frame(0, 1, 0, 0, 0, longest), "what", "longest"),
            new Entry("frames", Arrays.copyOf(frame(0, 1, 0, 0, 0, text), 20), "what", "part")));
        for (Refusal it : Refusal.values()) {
            if (it != Refusal.OTHER) {
                final ClusterId said = it == Refusal.CLUSTER ? CLUSTER : ClusterId.NONE;
                all.add(new Entry("greeting", new Greeting.Refused(it.code(), said).toBytes(), "what", it.name()));
            }
        }
        return all;
    }

    // ---- what is refused ----

    private static byte[] with(byte[] bytes, int at, int... values) {
        final byte[] other = bytes.clone();
        for (int i = 0; i < values.length; i++) {
            other[at + i] = (byte) values[i];
        }
        return other;
    }

    private static Entry refused(String rule, byte[]... parts) {
        return new Entry("frames", join(parts), "refused", rule);
    }

    private static Entry refusedGreeting(String rule, byte[] bytes) {
        return new Entry("greeting", bytes, "refused", rule);
    }

    private static List<Entry> refused() {
        final byte[] text = "text!".getBytes(StandardCharsets.US_ASCII);
        final byte[] right = frame(0, 1, 0, 0, 0, text);
        final byte[] checked = frame(0, 1, 0, Frame.CHECKED, 0, text);
        final byte[] hello = new Greeting.Hello(1, 1, 1, 2, 9, 0, new ClusterId(3, 4, ""), new byte[32]).toBytes();
        final byte[] proof = new Greeting.Proof(false, new byte[32], 5, 8, 9, true).toBytes();
        return List.of(
            refused("length", with(right, 0, 15)), refused("length", with(right, 0, 1, 0, 2)),
            refused("length", with(right, 3, 0x80)), refused("length", new byte[4]),
            refused("length", with(frame(0, 1, 0, Frame.REQUEST, 1, new byte[0]), 0, 16)),
            refused("place", frame(8, 1, 0, 0, 0, text)), refused("place", right, right),
            refused("place", with(control(false, 0, 0), 4, 1)),
            refused("flags", frame(0, 1, 0, 3, 1, text)), refused("flags", frame(0, 1, 0, Frame.FAILED, 1, text)),
            refused("flags", frame(0, 1, 0, 16, 1, text)),
            refused("flags", frame(0, 1, 0, Frame.SKIPPED | Frame.CONTROL, 1, text)),
            refused("flags", frame(0, 1, 0, Frame.SKIPPED | Frame.REQUEST, 1, text)),
            refused("flags", frame(0, 1, 0, Frame.CONTROL | Frame.LAST, 1, text)),
            refused("flags", frame(0, 1, 0, Frame.FRAGMENT | Frame.SKIPPED, 1, bytes(1024, 1))),
            refused("flags", frame(0, 1, 0, DROPPED | Frame.RESPONSE | Frame.FAILED, 1, new byte[0])),
            refused("dropped", frame(0, 1, 0, DROPPED, 1, text)),
            refused("lane", frame(0, 1, 1, Frame.SKIPPED, 0, text)), refused("lane", with(control(false, 0, 0), 10, 1)),
            refused("fragment", frame(0, 1, 0, Frame.FRAGMENT, 1, bytes(1023, 1))),
            refused("crc", with(right, 12, 1)), refused("crc", with(checked, 12, checked[12] ^ 1)),
            refused("crc", with(checked, 20, checked[20] ^ 1)), refused("crc", with(checked, 8, 2)),
            refused("pad", with(right, 23, 1)), refused("control", with(control(false, 0, 0), 8, 3)),
            refused("control", with(control(false, 0, -1), 8, 1)),
            refusedGreeting("length", with(hello, 0, 79)), refusedGreeting("length", with(hello, 4, 6)),
            refusedGreeting("length", with(hello, 3, 0x80)), refusedGreeting("magic", with(hello, 8, 't')),
            refusedGreeting("versions", with(hello, 16, 2)), refusedGreeting("reserved", with(hello, 36, 1)),
            refusedGreeting("nid", with(hello, 20, 0xFF, 0xFF)), refusedGreeting("mode", with(proof, 64, 2)),
            refusedGreeting("mode", with(proof, 71, 1)), refusedGreeting("received", with(proof, 48, 4)),
            refusedGreeting("received", with(proof, 55, 0x80)), refusedGreeting("received", with(proof, 64, 0)),
            refusedGreeting("limit", with(proof, 63, 0x80)));
    }

    // ---- tests ----

    private static void assertGolden(String name, List<Entry> now) throws IOException {
        final List<Entry> golden = GoldenFile.read(name);
        boolean isSame = golden.size() == now.size();
        int different = 0;
        while (isSame && different < now.size()) {
            isSame = golden.get(different).isSame(now.get(different));
            different += isSame ? 1 : 0;
        }
        assertTrue(isSame, name + ": other bytes are written now, from entry " + different + " on; all of them are in "
            + (isSame ? "" : GoldenFile.write(name, now)));
    }

    @Test
    void conversation_ofTwoNodes() throws IOException {
        assertGolden("conversation.hex", conversation());
    }

    @Test
    void framesAndRefusals_ofTheEncoder() throws IOException {
        assertGolden("frames.hex", frames());
    }

    @Test
    void whatIsRefused_isRefused() throws IOException {
        assertGolden("refused.hex", refused());
        for (Entry it : GoldenFile.read("refused.hex")) {
            final List<String> lines = new GoldenReader().read(List.of(it));
            assertTrue(lines.getLast().contains("\"kind\":\"refused\""), it.head() + lines);
        }
    }

    @Test
    void anotherDecoder_readsTheSame() throws IOException, InterruptedException {
        for (String name : FILES) {
            final List<String> python = python(name);
            final List<String> lines = new GoldenReader().read(GoldenFile.read(name));
            assertEquals(String.join("\n", lines), String.join("\n", python), name);
            assertTrue(lines.size() > 10, name);
        }
    }

    private static List<String> python(String name) throws IOException, InterruptedException {
        Process process = null;
        try {
            process = new ProcessBuilder("python3", GoldenFile.path("decode.py").toString(),
                GoldenFile.path(name).toString()).redirectErrorStream(true).start();
        } catch (IOException e) {
            System.out.println("GoldenTest: there is no python3, so the second decoder is left out");
        }
        assumeTrue(process != null, "there is no python3");
        final String text = new String(Objects.requireNonNull(process).getInputStream().readAllBytes(),
            StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), text);
        return text.lines().toList();
    }
}
