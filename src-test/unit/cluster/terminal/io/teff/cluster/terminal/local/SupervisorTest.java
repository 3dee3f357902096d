package io.teff.cluster.terminal.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.terminal.local.LocalNode.Started;
import io.teff.cluster.terminal.node.ProcessId;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A supervisor whose folder is deleted leaves nothing behind. */
final class SupervisorTest {
    private static final int PORT = 1_100;

    @TempDir
    private Path folder;

    private ClusterFolder cluster(Started state) throws Exception {
        ClusterFolder cluster = ClusterFolder.create(folder.resolve("cluster"), ClusterPlan.of(1, 2, PORT));
        for (LocalNode node : cluster.nodes()) {
            node.note(state);
        }
        return cluster;
    }

    private static void awaitBegin(ClusterFolder cluster) {
        Path log = cluster.path().resolve(ClusterFolder.SUPERVISOR_LOG);
        Threads.await("the supervisor begins", () -> {
            try {
                return Files.exists(log) && Files.readString(log).contains("the supervisor begins");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Test
    @Timeout(60)
    void folderIsDeleted_theSupervisorEnds() throws Exception {
        ClusterFolder cluster = cluster(new Started(ProcessId.current(), 0));
        Threads.Running supervisor = Threads.start("supervisor", _ -> Supervisor.run(cluster, false));
        awaitBegin(cluster);
        cluster.delete();
        supervisor.end();
        assertTrue(Files.notExists(cluster.path().resolve("requests")));
    }

    @Test
    @Timeout(60)
    void folderIsDeletedInPart_theSupervisorEndsWithoutAStart() throws Exception {
        ClusterFolder cluster = cluster(new Started(ProcessId.current(), 0));
        Path node = cluster.nodes().getFirst().folder();
        try (Stream<Path> files = Files.list(node)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(node);
        Supervisor.run(cluster, false);
        String log = Files.readString(cluster.path().resolve(ClusterFolder.SUPERVISOR_LOG));
        assertTrue(log.contains("its folder was deleted"), log);
        assertFalse(log.contains("starts"), log);
    }

    @Test
    @Timeout(60)
    void folderIsDeleted_theSupervisorEndsAfterTheLastNode() throws Exception {
        Process process = new ProcessBuilder("sleep", "600").start();
        ClusterFolder cluster = cluster(new Started(ProcessId.of(process.toHandle()), null));
        Threads.Running supervisor = Threads.start("supervisor", _ -> Supervisor.run(cluster, false));
        try {
            awaitBegin(cluster);
            cluster.delete();
            assertTrue(process.isAlive());
        } finally {
            assertEquals(process, process.destroyForcibly());
        }
        supervisor.end();
        assertTrue(Files.notExists(cluster.path().resolve("requests")));
    }
}
