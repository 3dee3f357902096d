package io.teff.cluster.terminal.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.admin.ConfigException;
import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeSettings;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Configuration files: what is read, and where each fault is. */
final class NodeFileTest {
    private static final String PEER = """
        [node]
        role = "peer"
        folder = "data"
        listen = "127.0.0.1:7410"

        [cluster]
        superpeers = ["127.0.0.1:7400"]
        """;

    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("node.toml"), text);
    }

    private List<String> faults(String text) throws IOException {
        Path file = file(text);
        return assertThrows(ConfigException.class, () -> NodeFile.load(file)).faults();
    }

    private static void assertHas(NodeSettings config, String... parts) {
        for (String part : parts) {
            assertTrue(config.toString().contains(part), () -> part + " in " + config);
        }
    }

    @Test
    void load_smallestPeer_hasDefaults_andPathsRelativeToTheFile() throws Exception {
        NodeSettings config = NodeFile.load(file(PEER));
        assertEquals(NodeRole.PEER, config.role());
        assertEquals("peer", config.name());
        assertEquals(folder.resolve("data"), config.folder());
        assertEquals(folder.resolve("data/node.log"), config.log());
        assertEquals("tcp:127.0.0.1:7410", config.listen());
        assertEquals(0, config.client().secret().length);
        assertHas(config, "memoryBytes=1073741824", "termNs=1000000000", "no secret");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "peer.memory = 12.5        | 10: peer.memory: is a number with a fraction, not a whole number or a text",
        "peer.memory = \"1 lot\"   | 10: peer.memory: '1 lot' is no size, such as 512m or 4g; allowed: 64m to 16t",
        "peer.memory = 5           | 10: peer.memory: 5 is out of range; allowed: 64m to 16t",
        "peer.ring = \"9m\"        | 10: peer.ring: 9437184 bytes are no power of two; allowed: 8m to 1g",
        "peer.ring = \"4m\"        | 10: peer.ring: 4m is out of range; allowed: 8m to 1g, a power of two",
        "peer.colour = \"red\"     | 10: peer.colour: there is no such key; allowed: peer.memory, peer.ring",
        "colour = \"red\"          | 9: colour: there is no such key; allowed: node.role, node.name",
        "peer.memory = true        | 10: peer.memory: is true or false, not a whole number or a text",
    })
    void load_aFault_isNamedWithLineKeyAndWhatIsAllowed(String line, String fault) throws Exception {
        String text = line.startsWith("colour") ? "# 1\n# 2\n# 3\n# 4\n# 5\n# 6\n# 7\n# 8\n" + line + "\n" + PEER
            : PEER + "\n[" + line.strip().replaceFirst("^(\\w+)\\.(.*)$", "$1]\n$2");
        List<String> faults = faults(text);
        assertEquals(1, faults.size(), faults::toString);
        String place = folder.resolve("node.toml") + ":";
        assertTrue(faults.getFirst().startsWith(place + fault), () -> faults.getFirst() + "\nnot\n" + place + fault);
    }

    @Test
    void load_severalFaults_namesAllOfThem() throws Exception {
        List<String> faults = faults("""
            [node]
            role = "king"
            folder = ""
            listen = "10.0.0.1:7410"

            [cluster]
            superpeers = ["a:7400", "b:7400", "c:7400", "d:7400", "e:7400", "f:7400"]
            secret-file = "none"
            """);
        String all = String.join("\n", faults);
        assertEquals(4, faults.size(), all);                    // the secret is wrong, not missing
        assertTrue(all.contains("node.toml:2: node.role: 'king' is no role; allowed: superpeer or peer"), all);
        assertTrue(all.contains("node.toml:3: node.folder: is empty"), all);
        assertTrue(all.contains("node.toml:7: cluster.superpeers: has 6 addresses; allowed: 1 to 5"), all);
        assertTrue(all.contains("node.toml:8: cluster.secret-file: there is no file"), all);
    }

    @Test
    void load_noToml_isNamedWithItsLine() throws Exception {
        List<String> faults = faults("[node]\nrole = peer\n");
        assertTrue(faults.getFirst().startsWith(folder.resolve("node.toml") + ":2: this is no TOML:"),
            faults::toString);
    }

    @Test
    void load_missingFile_isNamed() {
        ConfigException failure = assertThrows(ConfigException.class,
            () -> NodeFile.load(folder.resolve("none.toml")));
        assertTrue(failure.getMessage().contains("none.toml: cannot be read"), failure::getMessage);
    }

    @ParameterizedTest
    @CsvSource({"ISO-8859-1, 3, FC", "UTF-16, 1, FE", "UTF-16LE, 0, 00", "x-UTF-16LE-BOM, 1, FF"})
    void load_ofAnotherEncoding_namesTheFileAndTheLine(String encoding, int line, String wrong) throws Exception {
        Path file = folder.resolve("node.toml");
        Files.write(file, "[node]\n# a\nfolder = \"d\u00fcne\"\n".getBytes(Charset.forName(encoding)));
        ConfigException failure = assertThrows(ConfigException.class, () -> NodeFile.load(file));
        assertTrue(line == 0 || failure.getMessage().contains(file + ":" + line + ": is no text in the encoding UTF-8: "
            + "the byte 0x" + wrong + " is wrong"), failure::getMessage);
    }

    @Test
    void load_withAByteOrderMark_readsTheText() throws Exception {
        Path file = folder.resolve("node.toml");
        Files.writeString(file, "\ufeff[node]\nrole = peer\n");
        ConfigException failure = assertThrows(ConfigException.class, () -> NodeFile.load(file));
        assertTrue(failure.getMessage().contains(file + ":2: this is no TOML:"), failure::getMessage);
    }

    @Test
    void write_thenRead_hasTheSameValues() throws Exception {
        Map<NodeOption, List<String>> values = new EnumMap<>(NodeOption.class);
        values.put(NodeOption.ROLE, List.of("superpeer"));
        values.put(NodeOption.NAME, List.of("first"));
        values.put(NodeOption.FOLDER, List.of("a \"quoted\" \\ folder"));
        values.put(NodeOption.LISTEN, List.of("127.0.0.1:7401"));
        values.put(NodeOption.SUPERPEERS, List.of("127.0.0.1:7400", "127.0.0.1:7401", "127.0.0.1:7402"));
        values.put(NodeOption.CLUSTER, List.of("shop"));        // a key of the first table, behind one of the second
        values.put(NodeOption.LEASE_MS, List.of("2000"));
        values.put(NodeOption.MEMORY, List.of("2g"));
        NodeSettings config = NodeFile.load(file(NodeFile.write(values)));
        assertEquals(1, config.number(), "its position among the superpeers");
        assertEquals(List.of("tcp:127.0.0.1:7400", "tcp:127.0.0.1:7401", "tcp:127.0.0.1:7402"), config.superpeers());
        assertEquals(config.superpeers(), config.client().superpeers());
        assertEquals(folder.resolve("a \"quoted\" \\ folder"), config.folder());
        assertHas(config, "termNs=2000000000", "memoryBytes=2147483648");
    }
}
