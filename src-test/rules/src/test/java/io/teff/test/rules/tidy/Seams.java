package io.teff.test.rules.tidy;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The facilities that product code may reach only through a seam, and the list of the places that form the seams.
 *
 * <p>The same classes must run under a simulator with its own time, threads, files and network. Hence a product class
 * that takes the time from the system, starts a thread or opens a file by itself is a finding, unless a line in
 * {@link #ALLOWED} says where and why. To allow a place, add a line with a reason that a reader would accept.
 */
final class Seams {
    /** A facility of the outside world, and the pattern that detects its use. */
    enum Topic {
        TIME("System\\s*\\.\\s*(nanoTime|currentTimeMillis)|\\bInstant\\s*\\.\\s*now|\\bClock\\s*\\.\\s*system"),
        THREADS("\\bnew\\s+Thread\\s*\\(|\\bThread\\s*\\.\\s*(ofVirtual|ofPlatform|startVirtualThread)"
                + "|\\bExecutors\\s*\\.\\s*new|\\bForkJoinPool\\b"),
        SLEEP("\\bThread\\s*\\.\\s*sleep"),
        // A thread that sets its own interrupt flag cannot park any more: its next wait returns at once.
        WAITS("\\bLockSupport\\s*\\.\\s*park|\\bcurrentThread\\s*\\(\\s*\\)\\s*\\.\\s*interrupt\\s*\\("
                + "|\\bThread\\s*(\\.|::)\\s*interrupted\\b"),
        // A thread that spins keeps its processor, and a virtual thread its carrier, from the thread it waits for.
        SPINS("\\bThread\\s*(\\.|::)\\s*(onSpinWait|yield)\\b"),
        RANDOM("\\bnew\\s+Random\\b|\\bMath\\s*\\.\\s*random|\\bThreadLocalRandom\\b|\\bSecureRandom\\b"),
        FILES("\\b(FileChannel|AsynchronousFileChannel|RandomAccessFile|FileInputStream|FileOutputStream)\\b"),
        SOCKETS("\\b(Server|Datagram)?Socket(Channel)?\\b|\\bDatagramChannel\\b"),
        PRINT("\\bSystem\\s*\\.\\s*(out|err)\\b|\\bprintStackTrace\\b|\\bIO\\s*\\.\\s*print"),
        // A segment may be handed through, and an array or a buffer may be wrapped as one; making, cutting, copying,
        // reading and writing segments belongs to the memory room.
        MEMORY("\\b(Arena|ValueLayout|MemoryLayout|StructLayout|Linker|SymbolLookup)\\b"
                + "|\\bMemorySegment\\s*(::|\\.(?!\\s*of(Array|Buffer)))"
                + "|\\.\\s*(reinterpret|asSlice|asByteBuffer|varHandle)\\s*\\(");

        private final Pattern words;

        Topic(String words) {
            this.words = Pattern.compile(words);
        }
    }

    /** A file, or a folder whose path ends with a slash, that may use some topics. */
    record Allowance(String place, Set<Topic> topics, String reason) {}

    private static final String ENGINE = "engine/src/main/java/io/teff/engine/";
    private static final String NET = "cluster/net/src/main/java/io/teff/cluster/net/";
    private static final String RECOVERY = "recovery/src/main/java/io/teff/recovery/";

    static final List<Allowance> ALLOWED = List.of(
            new Allowance(ENGINE + "os/",
                    EnumSet.of(Topic.TIME, Topic.THREADS, Topic.SLEEP, Topic.WAITS, Topic.RANDOM, Topic.FILES,
                            Topic.MEMORY),
                    "the seams of all modules: clock, threads, chance, files, and the calls of the operating system"),
            new Allowance(ENGINE + "memory/", EnumSet.of(Topic.MEMORY),
                    "the one room that reads and writes off-heap bytes"),
            new Allowance(ENGINE + "journal/", EnumSet.of(Topic.MEMORY),
                    "the bytes of an entry that a store writes, and that a log reads"),
            new Allowance(RECOVERY + "format/", EnumSet.of(Topic.MEMORY),
                    "the one room that knows the bytes of the log"),
            new Allowance(NET + "wire/", EnumSet.of(Topic.MEMORY),
                    "the one room that knows the bytes of frames"),
            new Allowance(NET + "ring/", EnumSet.of(Topic.MEMORY),
                    "the memory between threads and links"),
            new Allowance(NET + "loop/", EnumSet.of(Topic.MEMORY),
                    "the memory between two nodes of a process"),
            new Allowance("cluster/core/src/main/java/io/teff/cluster/operation/", EnumSet.of(Topic.MEMORY),
                    "the one room that knows the bytes of operations"),
            new Allowance("cluster/core/src/main/java/io/teff/cluster/archive/EntryBytes.java",
                    EnumSet.of(Topic.MEMORY), "the bytes of the entries of a backup"),
            new Allowance("cluster/core/src/main/java/io/teff/cluster/slot/", EnumSet.of(Topic.MEMORY),
                "the results of changes in records of the ring"),
            new Allowance("nio/selector/src/main/java/", EnumSet.of(Topic.SOCKETS, Topic.MEMORY, Topic.TIME,
                    Topic.THREADS, Topic.FILES, Topic.WAITS, Topic.SPINS, Topic.RANDOM),
                    "a library of its own around channels of the JDK, without the engine and its seams"),
            new Allowance("nio/src/main/java/", EnumSet.of(Topic.SOCKETS, Topic.MEMORY),
                    "the transport over sockets, which writes from where frames are"),
            new Allowance("cluster/core/src/main/java/io/teff/cluster/config/CurrentContext.java",
                    EnumSet.of(Topic.RANDOM), "a parameter of the interface that gives new certificates to TLS"),
            new Allowance("cluster/core/src/main/java/io/teff/cluster/config/NamedTrust.java",
                    EnumSet.of(Topic.SOCKETS), "a parameter of the interface that names an expired certificate"),
            new Allowance("cluster/core/src/main/java/io/teff/cluster/node/PortCheck.java", EnumSet.of(Topic.SOCKETS),
                    "looks whether ports are free, and opens them for a moment"),
            new Allowance("cluster/terminal/src/main/java/io/teff/cluster/terminal/deploy/PortProbe.java",
                    EnumSet.of(Topic.SOCKETS, Topic.PRINT), "a program of one class for hosts without Teff"),
            new Allowance(NET + "transport/Lookups.java", EnumSet.of(Topic.THREADS),
                    "names of hosts are looked up by calls that wait"),
            new Allowance(ENGINE + "lock/", EnumSet.of(Topic.SPINS), "some rounds before a thread parks"),
            new Allowance(ENGINE + "alloc/AllocStripes.java", EnumSet.of(Topic.SPINS),
                    "some rounds before a thread parks"),
            new Allowance(ENGINE + "alloc/RunMap.java", EnumSet.of(Topic.SPINS),
                    "waits for a call of the kernel, during which a virtual thread keeps its carrier"),
            new Allowance(ENGINE + "hash/LinearHash.java", EnumSet.of(Topic.SPINS), "a bounded number of retries"),
            new Allowance(ENGINE + "sequence/ChunkSegmentList.java", EnumSet.of(Topic.SPINS),
                "a retry while another thread moves elements of one segment"),
            new Allowance(RECOVERY + "log/SyncWaiters.java", EnumSet.of(Topic.SPINS),
                    "as long as a sync takes, before the thread parks"),
            new Allowance(RECOVERY + "log/RecoveryLog.java", EnumSet.of(Topic.SPINS),
                    "as long as a sync takes, before the thread parks"),
            new Allowance(RECOVERY + "format/RingWriter.java", EnumSet.of(Topic.SPINS),
                    "waits for one of many checksums, whose threads never wait"),
            new Allowance(NET + "thread/IdleBackoff.java", EnumSet.of(Topic.SPINS),
                    "as long as configured, before the thread parks"),
            new Allowance(NET + "Network.java", EnumSet.of(Topic.SPINS), "some rounds before a thread parks"),
            new Allowance(NET + "ring/SendStream.java", EnumSet.of(Topic.SPINS),
                    "waits for a few instructions of a thread that never waits in between"),
            new Allowance(NET + "stream/Sender.java", EnumSet.of(Topic.WAITS),
                    "an interrupt ends this wait, and no other follows"),
            new Allowance(NET + "Network.java", EnumSet.of(Topic.WAITS), "an interrupt ends a call"),
            new Allowance("cluster/core/src/main/java/io/teff/cluster/ship/", EnumSet.of(Topic.MEMORY, Topic.SPINS),
                    "the memory between an owner's store and the messages to its backups; a lock of some instructions"),
            new Allowance("rdma/src/main/java/", EnumSet.of(Topic.MEMORY),
                    "the bindings of the native network libraries"),
            new Allowance("rdma/reads/src/main/java/", EnumSet.of(Topic.MEMORY),
                    "reads of the memory of another process, and their buffers"),
            new Allowance("rdma/transport/src/main/java/", EnumSet.of(Topic.MEMORY),
                    "the transports over those bindings"),
            new Allowance("rdma/transport/src/main/java/io/teff/rdma/transport/verbs/VerbsTransport.java",
                    EnumSet.of(Topic.SPINS), "a close polls completions, for a bounded time"),
            new Allowance("rdma/src/main/java/io/teff/rdma/ffi/NanoClock.java", EnumSet.of(Topic.TIME),
                    "the seam of the bindings, which stand on the JDK alone"),
            new Allowance("rdma/src/main/java/io/teff/rdma/ffi/NativeObject.java", EnumSet.of(Topic.SPINS),
                    "waits for the native call of another thread, which is bounded"),
            new Allowance("rdma/src/main/java/io/teff/rdma/ucx/call/WorkerProgress.java", EnumSet.of(Topic.SPINS),
                    "a bounded wait that makes progress"),
            new Allowance("rdma/src/main/java/io/teff/rdma/ucx/call/Turn.java", EnumSet.of(Topic.WAITS),
                    "an interrupt does not end the wait for the turn"),
            new Allowance("rdma/src/main/java/io/teff/rdma/ucx/worker/WorkerEvents.java", EnumSet.of(Topic.SPINS),
                    "a close waits for the sleeper, which it wakes"),
            new Allowance("rdma/src/main/java/io/teff/rdma/verbs/connect/AddressExchange.java",
                    EnumSet.of(Topic.SOCKETS), "the exchange of addresses before there is a connection"));

    private static final String UNIT = "src-test/unit/";

    /** The tests that spin: each of them ends by itself; the others wait by the kit's {@code Threads.await}. */
    static final List<Allowance> SPINNING_TESTS = List.of(
            spinning("src-test/shared/net/io/teff/test/net/NetworkAllocationContract.java",
                    "counts allocations, and a wait by the kit has a lambda"),
            spinning(UNIT + "bridges/jcache/io/teff/bridge/jcache/ConcurrentOperationsTest.java",
                    "threads that race for a lock, a bounded number of times"),
            spinning(UNIT + "cluster/net/io/teff/cluster/net/LaterAnswerThreadsTest.java",
                    "threads that race for the same handles"),
            spinning(UNIT + "cluster/net/io/teff/cluster/net/loop/LoopPipeTest.java",
                    "a reader that races with the writer"),
            spinning(UNIT + "cluster/net/io/teff/cluster/net/ring/SendRingTest.java",
                    "writers that race for the room of a ring"),
            spinning(UNIT + "engine/io/teff/engine/FakeTime.java", "a clock in which no real time passes"),
            spinning(UNIT + "engine/io/teff/engine/ViewsTest.java", "a fixed number of collections"),
            spinning(UNIT + "rdma/io/teff/rdma/ffi/LosingProgram.java", "a bounded number of collections"),
            spinning(UNIT + "rdma/io/teff/rdma/ucx/worker/LifetimeTest.java", "threads that race with a close"),
            spinning(UNIT + "rdma/io/teff/rdma/ucx/worker/UcxPair.java", "a bounded wait that makes progress"),
            spinning(UNIT + "rdma/io/teff/rdma/ucx/worker/UcxPeer.java",
                    "a process that makes progress until its parent ends it"),
            spinning(UNIT + "tools/io/teff/tools/soak/RateLoopTest.java", "an operation that takes its time"));

    private Seams() {}

    private static Allowance spinning(String place, String reason) {
        return new Allowance(place, EnumSet.of(Topic.SPINS), reason);
    }

    /** Every use of the outside world in a product's main code that no line above allows. */
    static List<Finding> check(SourceFile file) {
        if (!file.isProduct()) {
            return List.of();
        }
        Set<Topic> allowed = EnumSet.noneOf(Topic.class);
        for (Allowance allowance : ALLOWED) {
            if (covers(allowance.place(), file.path())) {
                allowed.addAll(allowance.topics());
            }
        }
        List<Finding> findings = new ArrayList<>();
        for (Topic topic : EnumSet.complementOf(EnumSet.copyOf(allowed))) {
            findings.addAll(TextRules.matches(file.path(), file.code(), topic.words, topic + " outside its seam"));
        }
        return findings;
    }

    /** Tests wait for a condition, never for a time. */
    static List<Finding> checkTest(SourceFile file) {
        return file.isTest()
                ? TextRules.matches(file.path(), file.code(), Topic.SLEEP.words, "a test must not sleep")
                : List.of();
    }

    /** A wait that spins outlives the test that was given up, and disturbs others of its JVM. */
    static List<Finding> checkSpins(SourceFile file) {
        return !file.isUnitTest() || SPINNING_TESTS.stream().anyMatch(it -> covers(it.place(), file.path())) ? List.of()
                : TextRules.matches(file.path(), file.code(), Topic.SPINS.words,
                        "a test waits by Threads.await of the kit");
    }

    private static boolean covers(String place, String path) {
        return place.endsWith("/") ? path.startsWith(place) : path.equals(place);
    }
}
