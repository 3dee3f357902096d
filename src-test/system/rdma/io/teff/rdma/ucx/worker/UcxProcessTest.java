package io.teff.rdma.ucx.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.UcxThreadMode;
import io.teff.rdma.ucx.memory.UcxRemoteMemory;
import io.teff.rdma.ucx.message.UcxRequest;
import io.teff.test.kit.ChildJvm;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.Project;
import io.teff.test.kit.Starts;
import io.teff.test.kit.tier.FullTier;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: processes talk, a killed one gives the other one a status and nothing worse, and JVMs keep their signals. */
@Tag("system")
@Tag("processes")
final class UcxProcessTest {
    private static final int KILLED = 137;
    private static final int LINE_MAX = 100_000;
    private static final int PINGS = 100;
    /** Over shared memory, UCX 1.13 misses the end of a peer while the connection is being completed. */
    private static final long CONNECTED_NS = 400_000_000;

    /** A child that runs {@link UcxPeer}. */
    private static final class Peer implements AutoCloseable {
        final Process process;
        final BufferedReader output;
        final byte[] address;
        final byte[] key;

        Peer(String transports) throws Exception {
            String main = "/" + UcxPeer.class.getName().replace('.', '/') + ".class";
            String file = Path.of(UcxPeer.class.getResource(main).toURI()).toString();
            String root = file.substring(0, file.length() - main.length());
            Starts.JVM.count();
            process = new ProcessBuilder(ChildProcess.java(), "-ea", "-Xmx128m", "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", "-XX:-CreateCoredumpOnCrash", ChildJvm.NATIVE, "-cp",
                root + File.pathSeparator + ChildProcess.everything(), UcxPeer.class.getName(), transports)
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
            output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            address = HexFormat.of().parseHex(line());
            key = HexFormat.of().parseHex(line());
        }

        /** The next line of hexadecimal digits; UCX may print warnings between them. */
        private String line() throws IOException {
            for (int i = 0; i < LINE_MAX; i++) {
                String line = output.readLine();
                assertNotNull(line, "the child has ended");
                if (line.matches("[0-9a-f]+")) {
                    return line;
                }
                System.out.println("peer: " + line);
            }
            throw new AssertionError("no address");
        }

        void tell(byte[] own) throws IOException {
            process.getOutputStream().write((HexFormat.of().formatHex(own) + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        }

        @Override
        public void close() throws IOException {
            process.destroyForcibly();
            assertTrue(process.onExit().orTimeout(60, TimeUnit.SECONDS).join() != null);
        }
    }

    /** Talks for some intervals of the check for dead peers. */
    private static void pings(UcxWorker worker, UcxEndpoint peer, MemorySegment memory, UcxRequest send,
            UcxRequest receive) {
        long begin = System.nanoTime();
        for (int i = 0; i < PINGS || System.nanoTime() - begin < CONNECTED_NS; i++) {
            ping(worker, peer, memory, send, receive, i);
        }
    }

    private static void ping(UcxWorker worker, UcxEndpoint peer, MemorySegment memory, UcxRequest send,
            UcxRequest receive, long value) {
        memory.set(ValueLayout.JAVA_LONG, 0, value);
        worker.tagReceive(memory, 8, 8, UcxPeer.ANSWER_TAG, -1, receive);
        peer.tagSend(memory, 0, 8, UcxPeer.REQUEST_TAG, send);
        UcxPair.until(() -> send.isDone() && receive.isDone(), worker);
        send.check();
        receive.check();
        assertEquals(value, memory.get(ValueLayout.JAVA_LONG, 8));
    }

    @FullTier("3 s for each of three transports; peerProcess_isKilledBeforeItsAnswer_closeEndsEverything kills a "
        + "process, too")
    @ParameterizedTest
    @ValueSource(strings = {"posix", "sysv", "tcp"})
    void peerProcess_talks_andIsKilled(String transport) throws Exception {
        UcxPair.assumeUcx();
        try (UcxContext context = UcxContext.open(UcxPair.config(transport).build());
                UcxWorker worker = context.worker(UcxThreadMode.SINGLE);
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(4096, Long.BYTES);
            UcxRequest send = worker.request();
            UcxRequest receive = worker.request();
            for (int life = 0; life < 2; life++) {
                try (Peer child = new Peer(transport)) {
                    UcxEndpoint peer = worker.connect(child.address, UcxErrorMode.PEER);
                    child.tell(worker.address());
                    pings(worker, peer, memory, send, receive);
                    reach(worker, peer, child.key, memory, send);
                    killInTheMiddle(worker, peer, child, memory, send, receive);
                }
            }
        }
    }

    /** Remote memory of another process: put, get, and the atomic operations. */
    private static void reach(UcxWorker worker, UcxEndpoint peer, byte[] key, MemorySegment memory,
            UcxRequest request) {
        UcxRemoteMemory remote = peer.remote(key);
        assertEquals(UcxPeer.MEMORY_SIZE, remote.size());
        memory.set(ValueLayout.JAVA_LONG, 0, 0x1234_5678_9ABCL);
        remote.put(memory, 0, 8, 4096, request);
        finish(worker, request);
        peer.flush(request);
        finish(worker, request);
        remote.fetchAndAdd64(4096, 2, request);
        finish(worker, request);
        assertEquals(0x1234_5678_9ABCL, request.fetched64());
        remote.swap64(4096, 77, request);
        finish(worker, request);
        assertEquals(0x1234_5678_9ABEL, request.fetched64());
        remote.compareAndSwap64(4096, 77, 78, request);
        finish(worker, request);
        assertEquals(77, request.fetched64());
        remote.get(memory, 8, 8, 4096, request);
        finish(worker, request);
        assertEquals(78, memory.get(ValueLayout.JAVA_LONG, 8));
    }

    private static void finish(UcxWorker worker, UcxRequest request) {
        UcxPair.until(request::isDone, worker);
        request.check();
    }

    /** Kills the child with operations under way: they end, the endpoint has a failure, and later calls have it. */
    private static void killInTheMiddle(UcxWorker worker, UcxEndpoint peer, Peer child, MemorySegment memory,
            UcxRequest send, UcxRequest receive) throws Exception {
        assertNull(peer.failure());
        MemorySegment large = Arena.ofAuto().allocate(1 << 20, Long.BYTES);
        UcxRequest rendezvous = worker.request();
        UcxRequest stream = worker.request();
        peer.tagSend(large, 0, 1 << 20, 99, rendezvous);        // no receive of the peer meets it
        peer.streamReceive(large, 0, 8, true, stream);
        pings(worker, peer, memory, send, receive);
        worker.tagReceive(memory, 8, 8, UcxPeer.ANSWER_TAG, -1, receive);
        child.process.destroyForcibly();
        assertEquals(KILLED, child.process.waitFor());
        UcxPair.until(() -> peer.failure() != null, worker);
        UcxPair.until(() -> rendezvous.isDone() && stream.isDone(), worker);
        assertTrue(peer.failure().isFailure(), "failure " + peer.failure());
        assertTrue(rendezvous.status().isFailure(), "rendezvous " + rendezvous.status());
        assertTrue(stream.status().isFailure(), "stream " + stream.status());
        System.out.println("ucx: a killed peer is " + peer.failure() + ", its operations " + rendezvous.status()
            + " and " + stream.status());
        peer.tagSend(memory, 0, 8, UcxPeer.REQUEST_TAG, send);
        assertTrue(send.isDone());
        assertEquals(peer.failure(), send.status());
        assertFalse(receive.isDone(), "a tagged receive is of any peer");
        receive.cancel();
        UcxPair.until(receive::isDone, worker);
        assertEquals(UcxStatus.CANCELED, receive.status());
        peer.close();
    }

    /** The peer dies before it has answered at all: UCX may not notice, but the endpoint can be closed by force. */
    @ParameterizedTest
    @ValueSource(strings = {"posix", "tcp"})
    void peerProcess_isKilledBeforeItsAnswer_closeEndsEverything(String transport) throws Exception {
        UcxPair.assumeUcx();
        try (UcxContext context = UcxContext.open(UcxPair.config(transport).build());
                UcxWorker worker = context.worker(UcxThreadMode.SINGLE); Peer child = new Peer(transport)) {
            UcxEndpoint peer = worker.connect(child.address, UcxErrorMode.PEER);
            UcxRequest send = worker.request();
            peer.tagSend(Arena.ofAuto().allocate(1 << 20, Long.BYTES), 0, 1 << 20, 99, send);
            child.process.destroyForcibly();
            assertEquals(KILLED, child.process.waitFor());
            for (int i = 0; i < 1000; i++) {
                worker.progress();
            }
            peer.close(UcxCloseMode.FORCE);
            UcxPair.until(send::isDone, worker);
            assertTrue(send.status().isFailure(), "send " + send.status());
        }
    }

    @Test
    void signals_ofTheJvm_stayItsOwn() throws InterruptedException {
        UcxPair.assumeUcx();
        ChildJvm.Result result = ChildJvm.run(Faults.class, ChildJvm.NATIVE);
        assertEquals(0, result.exitCode(), result.output());
        assertTrue(result.output().contains("caught 20000"), result.output());
        assertFalse(result.output().contains("backtrace"), result.output());
    }

    /** A program whose compiled code has null checks that are faults on purpose, after UCX was loaded. */
    static final class Faults {
        private Faults() {}

        private static final class Box {
            int value = 1;
        }

        private static int value(Box box) {
            return box.value;
        }

        public static void main(String[] arguments) {
            try (UcxContext context = UcxContext.open(UcxPair.config("posix").build());
                    UcxWorker worker = context.worker(UcxThreadMode.SINGLE)) {
                worker.progress();
                Box box = new Box();
                int sum = 0;
                for (int i = 0; i < 200_000; i++) {
                    sum += value(box);
                }
                int caught = 0;
                for (int i = 0; i < 20_000; i++) {
                    try {
                        sum += value(i < 0 ? box : null);
                    } catch (NullPointerException e) {
                        caught++;
                    }
                }
                System.out.println("caught " + caught + " of " + sum);
            }
        }
    }

    @Test
    void process_endsWithOpenObjects() throws InterruptedException {
        UcxPair.assumeUcx();
        ChildJvm.Result result = ChildJvm.run(LeavesOpen.class, ChildJvm.NATIVE);
        assertEquals(0, result.exitCode(), result.output());
        assertTrue(result.output().contains("ready"), result.output());
    }

    @FullTier("a compiler and a JVM, 4 s; the other methods use the same calls")
    @Test
    void programOfThePage_runs(@TempDir Path folder) throws IOException, InterruptedException {
        UcxPair.assumeUcx();
        String page = Files.readString(Project.file("docs/RDMA.md"));
        int place = page.indexOf("UcxConfig.builder(");
        int begin = page.lastIndexOf("```java\n", place) + "```java\n".length();
        Files.writeString(folder.resolve("FirstMessage.java"), page.substring(begin, page.indexOf("```", place)));
        ChildProcess.Result result = ChildProcess.java(folder, ChildJvm.NATIVE, "-cp", ChildProcess.everything(),
            "FirstMessage.java");
        assertEquals(0, result.exitCode(), result.output() + result.errors());
        assertEquals("hello, 6 bytes\ncounted to 5\n", result.output());
    }

    /** A program that ends without closing anything. */
    static final class LeavesOpen {
        private LeavesOpen() {}

        public static void main(String[] arguments) {
            UcxContext context = UcxContext.open(UcxPair.config("posix").build());
            UcxWorker worker = context.worker(UcxThreadMode.SINGLE);
            worker.connect(worker.address(), UcxErrorMode.PEER);
            context.allocate(4096);
            System.out.println("ready " + worker.progress());
        }
    }
}
