package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.engine.os.Platform;
import io.teff.recovery.disk.Choices;
import io.teff.recovery.disk.FaultDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a power cut leaves of the folder of a node. */
class NodeFolderTest {
    private static final Path ABOVE = FaultDisk.ROOT.resolve("data");
    private static final Path FOLDER = ABOVE.resolve("cluster").resolve("peer");

    private static UUID open(FaultDisk disk) throws IOException {
        try (NodeFolder folder = NodeFolder.open(Platform.SYSTEM.withDisk(disk), FOLDER)) {
            return folder.id();
        }
    }

    /** Each name on the way to a new folder is synced, so the node is the same one after the power cut. */
    @Test
    void newFolder_afterAPowerCut_isThere() throws IOException {
        FaultDisk disk = new FaultDisk();
        UUID id = open(disk);
        assertEquals(id, open(disk.powerCut(Choices.drop())));
    }

    /** A process has ended between making the folder and syncing its name. */
    @Test
    void folderThatAnEarlierProcessHasMade_afterAPowerCut_isThere() throws IOException {
        FaultDisk disk = new FaultDisk();
        disk.createFolders(FOLDER.getParent());
        for (Path synced : List.of(FaultDisk.ROOT, ABOVE)) {
            disk.forceFolder(synced);
        }
        disk.createFolders(FOLDER);
        UUID id = open(disk);
        assertEquals(id, open(disk.powerCut(Choices.drop())));
    }
}
