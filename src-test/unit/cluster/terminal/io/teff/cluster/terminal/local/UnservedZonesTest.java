package io.teff.cluster.terminal.local;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.cluster.terminal.local.LocalNode.Started;
import io.teff.cluster.terminal.node.ProcessId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the texts about zones say of folders on this machine. */
final class UnservedZonesTest {
    private static final Instant WRITTEN = Instant.parse("2026-03-04T05:06:07.890Z");

    @TempDir
    private Path folder;

    @Test
    void folder_ofANodeThatHasEnded_isNamedWithTheTimeOfItsLog() throws Exception {
        ClusterFolder cluster = ClusterFolder.create(folder.resolve("cluster"), ClusterPlan.of(1, 2, ClusterPlan.PORT));
        LocalNode peer = cluster.nodes().get(1);
        NodeLife life = new NodeLife(16, 2);
        ZoneStatus waiting = new ZoneStatus(5, 3, ZoneStatus.State.WAITING, null, List.of(),
            List.of(new ZoneStatus.Copy(life, 1, false, false)), List.of(), false, null);
        UnservedZones zones = new UnservedZones(new ClusterStatus("", "", List.of(), null, 7,
            List.of(new ClusterStatus.Member(NodeRole.PEER, life, false, peer.config().listen(), null)),
            List.of(waiting)), cluster);
        Path log = Files.createDirectories(peer.config().folder().resolve("backups/inner"));
        String place = "peer-1 (node 16/2, folder " + peer.config().folder();
        assertEquals(place + ")", zones.wanted(waiting), "there is no file");
        for (int i = 0; i < 3; i++) {
            Path file = Files.writeString(log.resolve("file-" + i), "x");
            Files.setLastModifiedTime(file, FileTime.from(WRITTEN.minusSeconds(i)));
        }
        assertEquals(place + ", log last written 2026-03-04T05:06:07Z)", zones.wanted(waiting));
        peer.note(new Started(ProcessId.current(), null));
        assertEquals(place + ")", zones.wanted(waiting), "it runs, and writes");
    }
}
