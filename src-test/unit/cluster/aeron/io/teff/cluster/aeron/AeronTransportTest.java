package io.teff.cluster.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.Aeron;
import io.aeron.CncFileDescriptor;
import io.aeron.ExclusivePublication;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.test.kit.Lateness;
import io.teff.test.kit.Starts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: links carry every byte once and in order, end on both sides, are refused to a peer that does not speak the
 * protocol, and leave nothing behind.
 *
 * <p>Method: transports polled by this thread, over the driver of this process; hostile peers use Aeron's own client.
 */
final class AeronTransportTest {
    private static final String UDP = "aeron:udp?endpoint=127.0.0.1:0";
    private static final String SMALL = "aeron:ipc?term-length=64k";
    private static final int CNC_BYTES = 8192;
    private static final long WAIT_NS = 60_000_000_000L;
    /** Less than Aeron waits for a driver that has died as it started, which is five seconds. */
    private static final long DRIVER_NS = 4_000_000_000L;

    private final List<AeronTransport> transports = new ArrayList<>();
    private final List<Told> accepted = new ArrayList<>();

    /** Records the events of a link. */
    private static final class Told implements LinkEvents {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private Link link;
        private int connected;
        private int closed;
        private @Nullable IOException why;

        @Override
        public void connected() {
            connected++;
        }

        @Override
        public void bytes(MemorySegment memory, long from, int count) {
            bytes.writeBytes(memory.asSlice(from, count).toArray(ValueLayout.JAVA_BYTE));
        }

        @Override
        public void writable() {}

        @Override
        public void closed(@Nullable IOException reason) {
            closed++;
            why = reason;
        }
    }

    private AeronTransport transport() {
        return add(new AeronTransport());
    }

    private AeronTransport add(AeronTransport transport) {
        Starts.DRIVER.count();
        transports.add(transport);
        return transport;
    }

    private String listen(String address) throws IOException {
        return transport().listen(address, link -> {
            final Told told = new Told();
            told.link = link;
            accepted.add(told);
            return told;
        });
    }

    private Told connect(String address) throws IOException {
        return connect(transport(), address);
    }

    private static Told connect(AeronTransport its, String address) throws IOException {
        final Told told = new Told();
        told.link = its.connect(address, told);
        return told;
    }

    /** Dials until the link is up: on a machine that stalls meanwhile this may take more than one attempt. */
    private Told connected(String address) throws IOException {
        return connected(transport(), address);
    }

    private Told connected(AeronTransport its, String address) throws IOException {
        for (int tries = 1;; tries++) {
            final Told told = connect(its, address);
            until(() -> told.connected == 1 || told.closed == 1);
            if (told.connected == 1) {
                return told;
            }
            assertTrue(tries < 5, () -> "no link to " + address + ": " + told.why);
        }
    }

    private void until(BooleanSupplier condition) {
        final long end = System.nanoTime() + WAIT_NS;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, "it did not come about");
            if (transports.stream().mapToInt(AeronTransport::poll).sum() == 0) {
                transports.getFirst().await(100_000);
            }
        }
    }

    @AfterEach
    void closeAll() {
        transports.forEach(AeronTransport::close);
    }

    @ParameterizedTest
    @ValueSource(strings = {UDP, "aeron:ipc", "aeron:udp?endpoint=127.0.0.1:0|term-length=65536",
        "aeron:udp?endpoint=[::1]:0"})
    void bytes_inBothDirections(String address) throws IOException {
        final Told one = connected(listen(address));
        final Told other = accepted.getLast();
        final byte[] bytes = new byte[3_000_000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31 + (i >> 10));
        }
        send(one, other, bytes);
        send(other, one, bytes);
        one.link.close();
        until(() -> other.closed == 1);
        assertNull(other.why);
        assertEquals(0, one.closed);
    }

    /** The agent looks names up. */
    @Test
    void namedHost_isToBeNumbered() throws IOException {
        final String there = listen(UDP);
        final AeronTransport its = add(new AeronTransport());
        final String named = there.replace("127.0.0.1", "a.host");
        assertEquals("a.host", its.hostName(named));
        assertNull(its.hostName(there));
        assertNull(its.hostName("aeron:ipc?stream=7"));
        assertThrows(IOException.class, () -> its.connect(named, new Told()));
        connected(its, its.numbered(named, InetAddress.ofLiteral("127.0.0.1")));
        assertEquals("aeron:udp?endpoint=[0:0:0:0:0:0:0:1]:7|stream=9|mtu=1408",
            its.numbered("aeron:udp?endpoint=a.host:7|stream=9|mtu=1408", InetAddress.ofLiteral("::1")));
    }

    private void send(Told from, Told to, byte[] bytes) {
        final MemorySegment memory = MemorySegment.ofArray(bytes);
        final int[] sent = new int[2];
        until(() -> {
            if (sent[0] < bytes.length) {
                final int taken = from.link.write(memory, sent[0], bytes.length - sent[0]);
                sent[1] += taken < bytes.length - sent[0] ? 1 : 0;
                sent[0] += taken;
            }
            return to.bytes.size() >= bytes.length;
        });
        assertTrue(sent[1] > 0, "it took more than can be on the way");
        assertTrue(Arrays.equals(bytes, to.bytes.toByteArray()), "other bytes came");
    }

    @Test
    void connect_whereNobodyListens_isClosedWithAReason() throws IOException {
        final Told one = connect("aeron:udp?endpoint=127.0.0.1:9");
        final Told two = connect("aeron:ipc?stream=9");
        until(() -> one.closed == 1 && two.closed == 1);
        assertNotNull(one.why);
        assertEquals(0, one.connected + two.connected);
        assertThrows(IOException.class, () -> connect("aeron:ipc"));
        assertThrows(IOException.class, () -> connect("aeron:ipc?stream=9|driver=/there/is/none"));
    }

    // ---- hostile peers ----

    private static Aeron stranger() {
        return Aeron.connect(new Aeron.Context().aeronDirectoryName(EmbeddedDriver.folder()).errorHandler(_ -> {}));
    }

    private static int stream(String address) throws IOException {
        return AeronAddress.parse(address).stream();
    }

    private void offer(ExclusivePublication to, UnsafeBuffer buffer, long kind) {
        until(() -> to.offer(buffer, 0, buffer.capacity(), (_, _, _) -> kind) > 0);
    }

    /** A peer that says nothing is given up after a while: again, if one was that this machine kept from speaking. */
    private void retried(Lateness.Check check) throws Exception {
        Lateness.retried(() -> {
            closeAll();
            transports.clear();
            accepted.clear();
            check.run();
        });
    }

    @Test
    void firstMessage_thatIsNoConnect_isRefused() throws Exception {
        retried(this::sayNoConnect);
    }

    private void sayNoConnect() throws IOException {
        final int stream = stream(listen("aeron:ipc"));
        final UnsafeBuffer hello = new Hello(0, 77, 88, 1).toBuffer();
        final UnsafeBuffer wrong = new Hello(0, 77, 88, 1).toBuffer();
        wrong.putByte(0, (byte) 1);
        try (Aeron stranger = stranger(); var answer = stranger.addSubscription("aeron:ipc", 77)) {
            final List<ExclusivePublication> all = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                final ExclusivePublication it = stranger.addExclusivePublication(SMALL, stream);
                all.add(it);
                switch (i) {
                    case 0 -> offer(it, new UnsafeBuffer(new byte[1]), Hello.DATA);
                    case 1 -> offer(it, hello, Hello.DATA);
                    case 2 -> offer(it, hello, Hello.ACCEPT);
                    case 3 -> offer(it, wrong, Hello.CONNECT);
                    case 4 -> offer(it, new Hello(70, 77, 88, 1).toBuffer(), Hello.CONNECT);
                    default -> offer(it, new Hello(0, -1, 88, 1).toBuffer(), Hello.CONNECT);
                }
            }
            until(() -> all.stream().noneMatch(ExclusivePublication::isConnected));
            assertEquals(0, accepted.size() + answer.imageCount());
        }
    }

    @Test
    void connectSaidTwice_makesOneLink() throws Exception {
        retried(this::connectTwice);
    }

    private void connectTwice() throws IOException {
        final int stream = stream(listen("aeron:ipc"));
        final UnsafeBuffer hello = new Hello(0, 77, 88, 1).toBuffer();
        try (Aeron stranger = stranger(); var answer = stranger.addSubscription("aeron:ipc?session-id=88", 77)) {
            final ExclusivePublication one = stranger.addExclusivePublication(SMALL, stream);
            final ExclusivePublication two = stranger.addExclusivePublication(SMALL, stream);
            offer(one, hello, Hello.CONNECT);
            until(() -> accepted.size() == 1);
            offer(two, hello, Hello.CONNECT);
            until(() -> !two.isConnected() && answer.imageCount() == 1);
            assertTrue(one.isConnected());
            offer(one, hello, Hello.CONNECT);
            until(() -> accepted.getFirst().closed == 1);
            assertNotNull(accepted.getFirst().why);
            assertEquals(1, accepted.size());
            until(() -> !one.isConnected());
        }
    }

    @Test
    void streamThatHasBegunBefore_isRefused() throws IOException {
        final int stream = 4711;
        final Told holdsDriver = connect("aeron:ipc?stream=9");
        try (Aeron stranger = stranger(); var reader = stranger.addSubscription("aeron:ipc", stream);
             var answer = stranger.addSubscription("aeron:ipc", 77)) {
            final ExclusivePublication late = stranger.addExclusivePublication(SMALL, stream);
            offer(late, new UnsafeBuffer(new byte[32]), Hello.DATA);
            until(() -> reader.poll((_, _, _, _) -> {}, 10) > 0);
            listen("aeron:ipc?stream=" + stream);
            offer(late, new Hello(0, 77, 88, 1).toBuffer(), Hello.CONNECT);
            until(() -> !late.isConnected());
            assertEquals(0, accepted.size() + answer.imageCount());
            assertEquals(0, holdsDriver.connected);
        }
    }

    @Test
    void silentOnes_areBoundedAndGivenUp() throws Exception {
        retried(this::giveUpSilentOnes);
    }

    private void giveUpSilentOnes() throws IOException {
        final AeronClient client = new AeronClient(EmbeddedDriver.folder());
        final AeronListener listener = new AeronListener(client, AeronAddress.parse("aeron:ipc?stream=4712"),
            _ -> new Told());
        client.add(listener);
        transport();
        try (Aeron stranger = stranger()) {
            until(() -> client.poll() >= 0 && isListening(listener));
            final List<ExclusivePublication> all = new ArrayList<>();
            for (int i = 0; i < AeronListener.OPENING_MAX + 20; i++) {
                all.add(stranger.addExclusivePublication(SMALL, 4712));
            }
            until(() -> client.poll() >= 0 && listener.openingCount() == AeronListener.OPENING_MAX);
            final Told honest = connect("aeron:ipc?stream=4712");
            until(() -> client.poll() >= 0 && honest.connected + honest.closed == 1);
            assertEquals(1, honest.connected, () -> "in the way of who is honest: " + honest.why);
            final int[] most = new int[1];
            until(() -> {
                client.poll();
                most[0] = Math.max(most[0], listener.openingCount());
                return most[0] > 0 && listener.openingCount() == 0
                    && all.stream().noneMatch(ExclusivePublication::isConnected);
            });
            assertTrue(most[0] <= AeronListener.OPENING_MAX, "there were " + most[0]);
        } finally {
            client.close();
        }
    }

    private static boolean isListening(AeronListener listener) {
        try {
            return listener.listen();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    // ---- what is left behind ----

    @Test
    void close_leavesNothingBehind() throws IOException {
        final Path left = left("0", "rwx------");
        long files = -1;
        for (int i = 0; i < 3; i++) {
            connected(listen(UDP));
            connected(listen("aeron:ipc"));
            assertTrue(Files.exists(Path.of(EmbeddedDriver.folder())));
            assertFalse(Files.exists(left), "of a process that is no more");
            assertEquals("rwx------", permissions(Path.of(EmbeddedDriver.folder()).getParent()));
            closeAll();
            transports.clear();
            assertFalse(Files.exists(Path.of(EmbeddedDriver.folder()).getParent()));
            assertTrue(Thread.getAllStackTraces().keySet().stream()
                .noneMatch(it -> it.getName().contains("aeron")), "a thread runs");
            try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
                assertEquals(List.of(), maps.filter(it -> it.contains("teff-aeron")).toList());
            }
            final long open = descriptors();
            assertTrue(files < 0 || open <= files, "there were " + files + " descriptors, and are " + open);
            files = open;
        }
    }

    /** A folder as left by a process that was killed an hour ago. */
    private static Path left(String name, String permissions) throws IOException {
        final Path parent = Path.of(EmbeddedDriver.folder()).getParent();
        final Path folder = parent.resolveSibling("teff-aeron-999999999-" + name);
        Files.createDirectories(folder.resolve("driver"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(permissions));
        setOld(folder);
        return folder;
    }

    private static void setOld(Path folder) throws IOException {
        Files.setLastModifiedTime(folder, FileTime.from(Instant.now().minusSeconds(3600)));
    }

    /** Any user can create a folder with such a name. */
    @Test
    void filesLeft_areDeletedOnlyInFoldersOfThisUser(@TempDir Path precious) throws IOException {
        final Path file = Files.writeString(precious.resolve("file"), "of the user");
        final Path own = left("1", "rwx------");
        Files.createSymbolicLink(own.resolve("link"), precious);
        setOld(own);
        final Path others = left("2", "rwxrwxrwx");
        final Path young = left("3", "rwx------");
        Files.setLastModifiedTime(young, FileTime.from(Instant.now()));
        final Path link = Files.createSymbolicLink(others.resolveSibling("teff-aeron-999999999-4"), precious);
        try {
            listen("aeron:ipc");
            assertFalse(Files.exists(own), "of this user");
            assertTrue(Files.exists(others), "anybody may have made it");
            assertTrue(Files.exists(young), "it may begin to run at this moment");
            assertTrue(Files.exists(link, LinkOption.NOFOLLOW_LINKS));
            assertTrue(Files.exists(file), "a link leads to it");
        } finally {
            for (Path it : List.of(others, young, link)) {
                DriverFolder.delete(it);
            }
        }
        assertTrue(Files.exists(file));
    }

    @Test
    void driverThatHasDiedAsItStarted_isNotWaitedFor(@TempDir Path folder) throws Exception {
        endsSoon(() -> {
            final Path own = left("5", "rwx------");
            Files.write(own.resolve("driver").resolve(CncFileDescriptor.CNC_FILE), new byte[CNC_BYTES]);
            setOld(own);
            listen("aeron:ipc");
            assertFalse(Files.exists(own));
            closeAll();
            transports.clear();
        });
        // no version, another version, and a value that is no version at all
        for (byte[] version : new byte[][] {{}, {0, 0, 1, 0}, {1, 0, 0, 127}}) {
            Files.write(folder.resolve(CncFileDescriptor.CNC_FILE), Arrays.copyOf(version, CNC_BYTES));
            endsSoon(() -> assertThrows(IOException.class, () -> connect("aeron:ipc?stream=9|driver=" + folder)));
        }
    }

    /** Checks that one of a few attempts does not wait: where Aeron waits, each does. */
    private static void endsSoon(Lateness.Check attempt) throws Exception {
        long tookNs = DRIVER_NS;
        for (int i = 0; i < 5 && tookNs >= DRIVER_NS; i++) {
            final long begunNs = System.nanoTime();
            attempt.run();
            tookNs = System.nanoTime() - begunNs;
        }
        assertTrue(tookNs < DRIVER_NS, "each attempt has waited");
    }

    /** The driver of each restarted process uses another folder. */
    @Test
    void clientOfADriverThatIsGone_goesToo(@TempDir Path folder) throws IOException {
        final AeronTransport transport = transport();
        final Told told = new Told();
        try (MediaDriver driver = MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(folder.resolve("driver").toString()).threadingMode(ThreadingMode.SHARED)
                .dirDeleteOnShutdown(true))) {
            until(() -> isDialed(transport, "aeron:ipc?stream=9|driver=" + driver.aeronDirectoryName(), told));
            until(() -> told.closed == 1);
            assertEquals(1, transport.clientCount());
        }
        until(() -> transport.clientCount() == 0);
    }

    /** A driver that was launched is there when its thread has run. */
    private static boolean isDialed(AeronTransport its, String address, Told told) {
        try {
            its.connect(address, told);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    private static String permissions(Path folder) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder));
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }
}
