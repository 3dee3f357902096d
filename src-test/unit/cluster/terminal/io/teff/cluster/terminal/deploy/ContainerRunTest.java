package io.teff.cluster.terminal.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.Gson;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.Starts;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: a node runs in a container as the definition of the image says. Method: no daemon of containers is needed:
 * namespaces of mounts and processes, a root file system that is read-only, the user of the image, and the very command
 * lines of the definition.
 */
@Tag("processes")
@FullTier("Starts a node in namespaces, for 10 s, and needs root; ContainerImageTest reads the definition in the gate.")
@Timeout(300)
final class ContainerRunTest {
    private static final String SCRIPT = """
        set -e
        root=$1 image=$2 jdk=$3 data=$4 config=$5
        shift 5
        mount --make-rprivate /
        mount -t tmpfs -o size=4m none "$root"
        mkdir -p "$root/usr" "$root/etc/teff" "$root/proc" "$root/dev" "$root/data" "$root/opt/java/openjdk" \\
            "$root/opt/teff/lib" "$root/tmp"
        for place in bin sbin lib lib64; do
            [ ! -h "/$place" ] || ln -s "usr/$place" "$root/$place"
        done
        mount --bind /usr "$root/usr"
        mount --bind /dev "$root/dev"
        mount --bind "$jdk" "$root/opt/java/openjdk"
        mount --bind "$image/lib" "$root/opt/teff/lib"
        mount --bind "$config" "$root/etc/teff"
        for place in usr opt/java/openjdk opt/teff/lib etc/teff; do
            mount -o remount,bind,ro "$root/$place"
        done
        mount --bind "$data" "$root/data"
        mount -t proc proc "$root/proc"
        mount -o remount,ro "$root"
        exec chroot --userspec=10001:10001 "$root" "$@"
        """;
    private static final Pattern LIST = Pattern.compile("(?m)^ *(ENTRYPOINT|CMD) (\\[.*])$");

    private Path folder;

    @BeforeEach
    void make() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "left out: namespaces of mounts need root");
        folder = Files.createTempDirectory("teff-container");
        int code = ChildProcess.run(folder, Map.of("PATH", System.getenv("PATH")), List.of("unshare", "-m", "-p", "-f",
            "true")).exitCode();
        assumeTrue(code == 0, "left out: this machine has no namespaces");
    }

    @AfterEach
    void delete() throws Exception {
        if (folder != null) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted((one, two) -> two.compareTo(one)).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private static Map<String, String> environment() {
        return Map.of("PATH", System.getenv("PATH"), "LC_ALL", "C.UTF-8");
    }

    private ChildProcess.Result run(List<String> words) throws Exception {
        return ChildProcess.run(folder, environment(), words);
    }

    @Test
    void node_runsWithoutRights_isWell_andEndsInOrderOnSigterm() throws Exception {
        Path image = Files.createDirectories(folder.resolve("image/lib")).getParent();
        String definition;
        try (VersionStage stage = VersionStage.make(ChildProcess.everything(), null)) {
            definition = ContainerImage.definition("base:1", "/opt/java/openjdk", "64m", stage.version());
            try (Stream<Path> jars = Files.list(stage.folder().resolve("lib"))) {
                for (Path jar : jars.toList()) {
                    Files.copy(jar, image.resolve("lib").resolve(jar.getFileName()));
                }
            }
        }
        List<List<String>> lists = new ArrayList<>();           // HEALTHCHECK, ENTRYPOINT, CMD
        for (Matcher found = LIST.matcher(definition); found.find();) {
            lists.add(List.of(new Gson().fromJson(found.group(2), String[].class)));
        }
        Path data = Files.createDirectory(folder.resolve("data"));
        Path config = Files.createDirectory(folder.resolve("conf"));
        int port = SshHosts.freePort();
        Files.writeString(config.resolve("node.toml"), "[node]\nrole = \"superpeer\"\nlisten = \"127.0.0.1:" + port
            + "\"\n[cluster]\nsuperpeers = [\"127.0.0.1:" + port + "\"]\n");
        assertEquals(0, run(List.of("chown", "10001:10001", data.toString())).exitCode());
        assertEquals(0, run(List.of("chmod", "-R", "a+rX", folder.toString())).exitCode());
        assertEquals(0, run(List.of("chmod", "700", data.toString())).exitCode());
        Path root = Files.createDirectory(folder.resolve("root"));
        List<String> words = new ArrayList<>(List.of("unshare", "-m", "-p", "-f", "sh", "-c", SCRIPT, "sh",
            root.toString(), image.toString(), System.getProperty("java.home"), data.toString(), config.toString()));
        words.addAll(lists.get(1));
        words.addAll(lists.get(2));
        Starts.JVM.count();
        File output = folder.resolve("out").toFile();
        Process process = new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output).start();
        try {
            Threads.await("the node", () -> !process.isAlive() || read(output).contains("ready: "));
            assertTrue(process.isAlive(), () -> read(output));
            ProcessHandle node = process.children().findFirst().orElseThrow();
            String status = Files.readString(Path.of("/proc/" + node.pid() + "/status"));
            assertTrue(status.contains("Uid:\t10001\t10001\t10001\t10001")
                && status.contains("CapEff:\t0000000000000000")
                && status.matches("(?s).*NSpid:\t\\d+\t1\n.*"), status);
            List<String> inside = List.of("nsenter", "-t", String.valueOf(node.pid()), "-m", "-p");
            List<String> write = new ArrayList<>(inside);
            write.addAll(List.of("touch", root.resolve("opt/x").toString()));
            assertTrue(run(write).errors().contains("Read-only file system"));
            List<String> health = new ArrayList<>(inside);
            health.addAll(List.of("chroot", "--userspec=10001:10001", root.toString()));
            health.addAll(lists.get(0));
            ChildProcess.Result well = run(health);
            assertEquals(0, well.exitCode(), () -> well.output() + well.errors());
            assertEquals("process 1 is ready", well.output().strip());
            assertTrue(node.destroy());
            assertEquals(0, process.waitFor(), () -> read(output));
            assertTrue(Files.readString(data.resolve("node/node.log")).contains("ended"));
            assertNotEquals(0, run(List.of("test", "-e", data.resolve("node/node.health").toString())).exitCode());
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
    }

    private static String read(File file) {
        try {
            return Files.readString(file.toPath());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
