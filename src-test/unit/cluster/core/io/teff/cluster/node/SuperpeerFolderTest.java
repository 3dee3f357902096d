package io.teff.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.NodeStartException;
import io.teff.cluster.admin.OptionValue;
import io.teff.cluster.log.LoggedLines;
import io.teff.cluster.net.identity.ClusterId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder of a superpeer and the identity of its cluster. */
final class SuperpeerFolderTest {
    private static final ClusterId CLUSTER = new ClusterId(7, 1, "orders");

    @TempDir
    private Path folder;
    private final LoggedLines lines = new LoggedLines();

    private SuperpeerFolder open(String cluster) throws Exception {
        Map<NodeOption, OptionValue> values = new EnumMap<>(NodeOption.class);
        values.put(NodeOption.ROLE, OptionValue.of("superpeer"));
        values.put(NodeOption.FOLDER, OptionValue.of(folder.toString()));
        values.put(NodeOption.LISTEN, OptionValue.of("127.0.0.1:7400"));
        values.put(NodeOption.SUPERPEERS, OptionValue.of("127.0.0.1:7400"));
        if (!cluster.isEmpty()) {
            values.put(NodeOption.CLUSTER, OptionValue.of(cluster));
        }
        return SuperpeerFolder.open(NodeConfig.of(values, "the test"));
    }

    /** A folder in the place of the new file lets the disk refuse the file, also for root. */
    @Test
    void folder_thatCannotNoteItsCluster_saysSo_andTheNextStartNotesIt() throws Exception {
        Path inTheWay = Files.createDirectories(folder.resolve("cluster.new/in-the-way"));
        try (SuperpeerFolder refused = open("")) {
            refused.joined(CLUSTER, lines.log());
        }
        assertTrue(lines.contains("ERROR fault: the folder " + folder + " cannot note its cluster: "),
            lines.lines()::toString);
        assertEquals(1, lines.lines().size(), lines.lines()::toString);
        Files.delete(inTheWay);
        Files.delete(folder.resolve("cluster.new"));
        try (SuperpeerFolder next = open("orders")) {
            assertEquals(ClusterId.expected("orders"), next.cluster(), "it has met no cluster");
            next.joined(CLUSTER, lines.log());
        }
        try (SuperpeerFolder known = open("")) {
            assertEquals(CLUSTER, known.cluster());
        }
        assertEquals(List.of("node.lock"), namesWithout("cluster"));
        assertEquals(1, lines.lines().size(), lines.lines()::toString);
    }

    private List<String> namesWithout(String name) throws Exception {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).filter(next -> !next.equals(name)).toList();
        }
    }

    @Test
    void folder_ofAnotherCluster_isRefused() throws Exception {
        try (SuperpeerFolder first = open("orders")) {
            first.joined(CLUSTER, lines.log());
        }
        String why = assertThrows(NodeStartException.class, () -> open("invoices")).getMessage();
        assertTrue(why.contains("it belongs to " + CLUSTER + ", expected a cluster named invoices"), why);
        assertEquals(List.of(), lines.lines());
    }
}
