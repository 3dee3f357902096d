package io.teff.cluster.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.engine.config.StoreConfig;
import io.teff.test.kit.ChildProcess;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A client, and the peers that it reaches, in a JVM without the library of consensus. */
@Tag("system")
@Tag("processes")
final class WithoutRaftTest {
    /** The program of that JVM. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws Exception {
            try {
                Class.forName("io.microraft.RaftNode");
                throw new AssertionError("MicroRaft is there");
            } catch (ClassNotFoundException _) {
                IO.println("no MicroRaft");
            }
            try (TestCell cell = new TestCell(); TestPeer peer = new TestPeer(cell)) {
                peer.open(cell.zones(peer.node, 1), StoreConfig.builder().memoryLimitBytes(16 << 20).build());
                try (ClusterStore store = ClusterStore.connect(cell.address())) {
                    long cid = store.create(new byte[] {1, 2, 3});
                    IO.println(store.get(cid, new byte[3]) + " bytes");
                }
            }
        }
    }

    @Test
    void client_withoutMicroRaft_works() throws Exception {
        String classPath = Arrays.stream(ChildProcess.everything().split(File.pathSeparator))
            .filter(entry -> !Path.of(entry).getFileName().toString().matches("(microraft|slf4j)-.*"))
            .collect(Collectors.joining(File.pathSeparator));
        ChildProcess.Result result = ChildProcess.java(Path.of("."), "-cp", classPath, Program.class.getName());
        assertEquals(0, result.exitCode(), () -> result.output() + result.errors());
        assertEquals("no MicroRaft\n3 bytes\n", result.output().replace(System.lineSeparator(), "\n"));
        assertTrue(result.errors().isEmpty() || result.errors().contains("WARNING"), result.errors());
    }
}
