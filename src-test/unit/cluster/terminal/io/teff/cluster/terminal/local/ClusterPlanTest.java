package io.teff.cluster.terminal.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the plan of a cluster on this machine: its file, and the configuration files of its nodes. */
final class ClusterPlanTest {
    private static final ClusterPlan DEFAULT = ClusterPlan.of(3, 4, 7_400);
    private static final ClusterPlan OTHER = new ClusterPlan(1, 2, 7_500, "64m", 48, "ucx", 1);

    @TempDir
    private Path folder;

    @Test
    void plan_isReadAsItWasWritten() throws IOException {
        for (ClusterPlan plan : new ClusterPlan[] {DEFAULT, OTHER}) {
            Path path = folder.resolve(plan.transport());
            assertEquals(plan, ClusterFolder.create(path, plan).plan());
            assertEquals(plan, ClusterFolder.open(path).plan());
        }
    }

    @Test
    void defaults_areNotWritten_soThatOlderProgramsReadTheFile() throws IOException {
        ClusterFolder.create(folder.resolve("default"), DEFAULT);
        String text = Files.readString(folder.resolve("default").resolve("cluster.txt"));
        assertFalse(text.contains("backups") || text.contains("transport"), text);
    }

    @Test
    void superpeers_getTheNumberOfBackups() {
        assertTrue(DEFAULT.files().get("superpeer-3").contains("\nbackups = 2"), DEFAULT.files()::toString);
        assertTrue(OTHER.files().get("superpeer-1").contains("\nbackups = 1"), OTHER.files()::toString);
        assertFalse(OTHER.files().get("peer-1").contains("backups"), OTHER.files()::toString);
        assertTrue(OTHER.superpeer(7, "superpeer-7", 7_501, List.of()).contains("\nbackups = 1"));
    }
}
