package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.compute.ClusterJars;
import io.teff.cluster.compute.UploadedJar;
import io.teff.cluster.job.NodeJars;
import io.teff.cluster.log.LoggedLines;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.compute.ComputeGroup;
import io.teff.engine.compute.GroupOptions;
import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobException.Reason;
import io.teff.engine.compute.JobTarget;
import io.teff.engine.compute.Reduction;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.os.Platform;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Code that comes to a peer as an uploaded jar. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PeerJarsTest {
    private static final String STARTED = "teff.test.jars.started";
    /** Provider by service; each is a class in a file of its own. */
    private static final String JOB = """
        package uploaded;
        public final class %s implements io.teff.engine.ChunkJob {
            @Override public String name() { return "%s"; }
            @Override public byte[] run(io.teff.engine.JobContext job) { return new byte[] {%d}; }
        }
        """;
    private static final String TASK = """
        package uploaded;
        public final class Count implements io.teff.engine.GroupTask {
            @Override public String name() { return "jars/count"; }
            @Override public byte[] run(io.teff.engine.TaskContext task) {
                return io.teff.engine.compute.Reduction.bytes(1);
            }
        }
        """;
    private static final String FUNCTION = """
        package uploaded;
        public final class Set7 implements io.teff.cluster.ClusterFunction {
            @Override public String name() { return "jars/seven"; }
            @Override public void call(io.teff.cluster.FunctionEntry entry) { entry.result(new byte[] {7}); }
        }
        """;
    private static final String APPLICATION = """
        package uploaded;
        public final class Greeting implements io.teff.cluster.compute.ClusterApplication {
            @Override public String name() { return "greeting"; }
            @Override public void start(io.teff.cluster.compute.ApplicationContext context) {
                System.setProperty("%s", "yes");
            }
            @Override public void stop() { }
        }
        """.formatted(STARTED);

    @TempDir
    private Path folder;

    // ---- making jars ----

    private byte[] jar(String name, String... sources) throws IOException {
        Path home = Files.createDirectories(folder.resolve(name));
        ToolProvider compiler = ToolProvider.findFirst("javac").orElseThrow();
        StringBuilder services = new StringBuilder();
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(home.resolve("it.jar")))) {
            for (String source : sources) {
                String type = source.replaceAll("(?s).*final class (\\w+).*", "$1");
                String service = source.replaceAll("(?s).*implements ([\\w.]+).*", "$1");
                Path file = Files.writeString(home.resolve(type + ".java"), source);
                assertEquals(0, compiler.run(System.out, System.err, "-d", home.toString(),
                    "-cp", path(), file.toString()));
                add(jar, "uploaded/" + type + ".class", Files.readAllBytes(home.resolve("uploaded/" + type
                    + ".class")));
                services.append(service).append(' ').append(type).append('\n');
            }
            for (String line : services.toString().lines().toList()) {
                add(jar, "META-INF/services/" + line.split(" ")[0], ("uploaded." + line.split(" ")[1])
                    .getBytes(StandardCharsets.UTF_8));
            }
        }
        return Files.readAllBytes(home.resolve("it.jar"));
    }

    private static String path() {
        return Stream.of(System.getProperty("java.class.path"), System.getProperty("jdk.module.path", ""))
            .filter(it -> !it.isEmpty()).reduce((a, b) -> a + java.io.File.pathSeparator + b).orElse("");
    }

    private static void add(JarOutputStream jar, String name, byte[] bytes) throws IOException {
        JarEntry entry = new JarEntry(name);
        entry.setTime(0);
        jar.putNextEntry(entry);
        jar.write(bytes);
        jar.closeEntry();
    }

    private static JobException failure(ClusterStore store, JobTarget target, String job) {
        return (JobException) assertThrows(CompletionException.class, () -> store.compute().submit(target, job,
            new byte[0]).join()).getCause();
    }

    private static byte[] awaitResult(ClusterStore store, JobTarget target, String job) {
        byte[][] result = new byte[1][];
        Threads.await("the node to load the jar", () -> {
            try {
                result[0] = store.compute().submit(target, job, new byte[0]).join();
                return true;
            } catch (CompletionException e) {
                assertEquals(Reason.UNKNOWN, ((JobException) e.getCause()).reason());
                return false;
            }
        });
        return result[0];
    }

    // ---- tests ----

    @Test
    void uploadedJar_isLoadedIfItIsAllowed_andKeptByTheNode() throws Exception {
        byte[] good = jar("good", JOB.formatted("Answer", "jars/answer", 42), TASK, FUNCTION, APPLICATION);
        byte[] other = jar("other", JOB.formatted("Other", "jars/other", 1));
        String hash = ClusterJars.hash(good);
        System.clearProperty(STARTED);
        try (PeerCluster cluster = new PeerCluster("jars-" + System.nanoTime(), folder, 1)) {
            for (int i = 0; i < 2; i++) {
                cluster.start(i, Peer.start(config(cluster, i, hash)));
            }
            cluster.awaitServed(4);
            JobTarget node = JobTarget.node(cluster.peer(0).node().nid());
            try (ClusterStore store = cluster.connect()) {
                String[] last = new String[1];
                Threads.await(120, () -> "the node to read the list: " + last[0], () -> {
                    JobException before = failure(store, node, "jars/answer");
                    assertEquals(Reason.UNKNOWN, before.reason(), before::getMessage);
                    last[0] = before.getMessage();
                    return before.getMessage().contains("allowed and not uploaded: " + hash);
                });

                ClusterJars jars = ClusterJars.of(store);
                assertEquals(hash, jars.add("good.jar", good).hash());
                UploadedJar second = jars.add("other.jar", other);
                assertEquals(List.of("good.jar", "other.jar"), jars.list().stream().map(UploadedJar::name).toList());
                assertArrayEquals(new byte[] {42}, awaitResult(store, node, "jars/answer"));
                assertEquals("yes", System.getProperty(STARTED));
                awaitResult(store, JobTarget.node(cluster.peer(1).node().nid()), "jars/answer");
                try (ComputeGroup group = store.compute().group(GroupOptions.DEFAULT.workers(2))) {
                    assertEquals(2, group.step("jars/count", new byte[0], Reduction.SUM).reduced()[0]);
                }
                ChunkMap<String, Long> map = store.map("m", Codecs.STRING, Codecs.LONG);
                assertArrayEquals(new byte[] {7}, store.functions().call(map, "a", "jars/seven", new byte[0]));
                JobException refused = failure(store, node, "jars/other");
                assertEquals(Reason.UNKNOWN, refused.reason());
                assertTrue(refused.getMessage().contains("not allowed at this node: other.jar (" + second.hash()),
                    refused::getMessage);

                assertTrue(jars.remove(hash));
                assertFalse(jars.remove(hash));
                assertTrue(jars.bytes(hash).isEmpty());
                assertTrue(jars.remove(second.hash()));
                checkJars(store);
            }
            // the node comes back without the jar in the cluster
            cluster.peer(0).close();
            cluster.start(0, Peer.start(config(cluster, 0, hash)));
            cluster.awaitServed(4);
            try (ClusterStore store = cluster.connect()) {
                assertArrayEquals(new byte[] {42}, store.compute().submit(JobTarget.node(cluster.peer(0).node()
                    .nid()), "jars/answer", new byte[0]).join());
            }
        }
    }

    /** Without a cluster, so that the folder is the only source. */
    @Test
    void keptJar_isLoadedIfItHasItsHash() throws Exception {
        byte[] good = jar("good", JOB.formatted("Answer", "kept/answer", 42));
        byte[] other = jar("other", JOB.formatted("Other", "kept/other", 1));
        String hash = ClusterJars.hash(good);
        for (byte[] kept : List.of(good, other, new byte[0])) {
            Path home = folder.resolve("node-" + kept.length);
            Files.createDirectories(home.resolve("jars"));
            Files.write(home.resolve("jars").resolve(hash + ".jar"), kept);
            LoggedLines lines = new LoggedLines();
            try (NodeJars jars = new NodeJars(Set.of(hash), () -> {
                throw new StoreClosedException("none");
            }, home, Platform.SYSTEM, lines.log(), _ -> { })) {
                jars.start();
                boolean isWhole = Arrays.equals(kept, good);
                assertEquals(isWhole ? List.of(hash) : List.of(), jars.loaded());
                assertEquals(!isWhole, lines.contains("another hash than its name"), lines.lines()::toString);
            }
        }
    }

    private static PeerConfig config(PeerCluster cluster, int index, String hash) {
        return cluster.config(index).withZones(2, 1, 200_000_000L).withJars(Set.of(hash));
    }

    /** The jars of a cluster are whole, or not there. */
    private static void checkJars(ClusterStore store) {
        ClusterJars jars = ClusterJars.of(store);
        assertThrows(IllegalArgumentException.class, () -> jars.add("text", "no jar".getBytes(
            StandardCharsets.UTF_8)));
        byte[] large = new byte[(1 << 20) + 77];
        for (int i = 0; i < large.length; i++) {
            large[i] = (byte) (i * 31 >>> 3);
        }
        large[0] = 'P';
        large[1] = 'K';
        UploadedJar jar = jars.add("large.jar", large);
        assertArrayEquals(large, jars.bytes(jar.hash()).orElseThrow());
        ChunkMap<String, byte[]> parts = store.map("teff/jars/parts", Codecs.STRING, Codecs.BYTES);
        assertEquals(3, parts.size());
        byte[] part = parts.get(jar.hash() + "/1");
        part[99]++;
        parts.put(jar.hash() + "/1", part);
        assertTrue(jars.bytes(jar.hash()).isEmpty());
        jars.add("large.jar", large);
        assertArrayEquals(large, jars.bytes(jar.hash()).orElseThrow());
        assertThrows(IllegalArgumentException.class, () -> jars.add("too-large.jar", tooLarge()));
        assertTrue(jars.remove(jar.hash()));
        assertEquals(0, parts.size());
        assertEquals(List.of(), jars.list());
    }

    private static byte[] tooLarge() {
        byte[] bytes = new byte[(int) ClusterJars.BYTES_MAX - (1 << 20)];
        bytes[0] = 'P';
        bytes[1] = 'K';
        return bytes;
    }
}
