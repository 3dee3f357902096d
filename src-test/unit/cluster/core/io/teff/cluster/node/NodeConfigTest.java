package io.teff.cluster.node;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.admin.ConfigException;
import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.OptionValue;
import io.teff.cluster.config.Address;
import io.teff.cluster.config.ByteSize;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the options allow. Each test changes one value of a good configuration. */
class NodeConfigTest {
    @TempDir
    private Path folder;
    private final Map<NodeOption, OptionValue> values = new EnumMap<>(NodeOption.class);

    private NodeConfigTest with(NodeOption option, String... texts) {
        values.put(option, new OptionValue(List.of(texts), "", folder));
        return this;
    }

    private NodeConfigTest superpeer() {
        return with(NodeOption.ROLE, "superpeer").with(NodeOption.FOLDER, "data")
            .with(NodeOption.LISTEN, "127.0.0.1:7401")
            .with(NodeOption.SUPERPEERS, "127.0.0.1:7400", "127.0.0.1:7401", "127.0.0.1:7402");
    }

    private NodeConfig good() throws ConfigException {
        return NodeConfig.of(values, "the test");
    }

    private String fault() {
        List<String> faults = assertThrows(ConfigException.class, this::good).faults();
        assertEquals(1, faults.size(), faults::toString);
        return faults.getFirst();
    }

    @Test
    void superpeer_isNumberedByItsPosition() throws ConfigException {
        NodeConfig config = superpeer().good();
        assertEquals(1, config.superpeer().number());
        assertEquals(2, config.superpeer().backups());
    }

    @Test
    void rack_isANameOrNone_andTheWidthHasADefault() throws ConfigException {
        assertEquals("", superpeer().good().peer().rack());
        assertEquals(20, superpeer().good().superpeer().scatterWidth());
        assertEquals("eu-1/room:2", with(NodeOption.RACK, "eu-1/room:2").good().peer().rack());
        assertEquals("", with(NodeOption.RACK, "").good().peer().rack(), "a label that a machine lacks");
        assertEquals(0, with(NodeOption.SCATTER_WIDTH, "0").good().superpeer().scatterWidth());
    }

    @Test
    void address_namesItsTransport() throws ConfigException {
        NodeConfig config = superpeer().with(NodeOption.LISTEN, "ucx:127.0.0.1:7401")
            .with(NodeOption.SUPERPEERS, "tcp:127.0.0.1:7400", "ucx:127.0.0.1:7401", "verbs:[::1]:7402").good();
        assertEquals(1, config.superpeer().number());
        assertEquals("ucx:127.0.0.1:7401", config.listen().link());
        assertEquals("ucx:127.0.0.1:7401", config.address().toString());
        assertEquals(List.of("tcp:127.0.0.1:7400", "ucx:127.0.0.1:7401", "verbs:[::1]:7402"),
            config.superpeers().stream().map(Address::link).toList());
        assertEquals(new Address("127.0.0.1", 7400), config.superpeers().getFirst());
        assertEquals("127.0.0.1:7400", config.superpeers().getFirst().toString());
    }

    @Test
    void superpeer_listeningElsewhere_needsItsNumber() throws ConfigException {
        superpeer().with(NodeOption.LISTEN, "127.0.0.1:8000");
        assertTrue(fault().contains("127.0.0.1:8000 is not in cluster.superpeers"), this::fault);
        assertEquals(2, with(NodeOption.NUMBER, "2").good().superpeer().number());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "ROLE      | boss            | 'boss' is no role; allowed: superpeer or peer",
        "NAME      | -x              | '-x' is no name; allowed: 1 to 64 letters",
        "LISTEN    | 127.0.0.1       | '127.0.0.1' is no address; allowed: host:port",
        "LISTEN    | udp:127.0.0.1:1 | 'udp:127.0.0.1:1' is no address; allowed: host:port",
        "LISTEN    | 127.0.0.1:70000 | '127.0.0.1:70000' is no address; allowed: host:port",
        "LISTEN    | 0.0.0.0:7401    | other machines reach 0.0.0.0:7401, so cluster.secret-file is needed",
        "LEASE_MS  | 9               | 9 is out of range; allowed: 10 to 600000",
        "LEASE_MS  | soon            | 'soon' is no whole number; allowed: 10 to 600000",
        "DRIFT     | 101             | 101 is out of range; allowed: 0 to 100",
        "BACKUPS   | 0               | 0 is out of range; allowed: 1 to 4",
        "SCATTER_WIDTH | 10001       | 10001 is out of range; allowed: 0 to 10000",
        "RACK      | rack 2          | 'rack 2' is no name of a rack; allowed: 1 to 64 letters",
        "NUMBER    | 15              | 15 is out of range; allowed: 0 to 14",
        "MEMORY    | 1k              | 1k is out of range; allowed: 64m to 16t",
        "RING      | 2g              | 2g is out of range; allowed: 8m to 1g, a power of two",
        "SECRET_FILE | none          | there is no file",
    })
    void value_outOfRange_isAFault(NodeOption option, String value, String expected) {
        superpeer().with(option, value);
        if (option == NodeOption.LISTEN) {
            with(NodeOption.NUMBER, "1");
        }
        String fault = fault();
        assertTrue(fault.startsWith("the test: " + option.key() + ": "), fault);
        assertTrue(fault.contains(expected), fault);
        assertTrue(fault.contains("; allowed: " + option.allowed()), fault);
    }

    @Test
    void lists_ofTheWrongLength_areFaults() {
        superpeer().with(NodeOption.SUPERPEERS, "127.0.0.1:7400", "127.0.0.1:7401", "127.0.0.1:7402",
            "127.0.0.1:7403", "127.0.0.1:7404", "127.0.0.1:7405");
        assertTrue(fault().contains("has 6 addresses"), this::fault);
        superpeer().with(NodeOption.SUPERPEERS, "127.0.0.1:7401", "127.0.0.1:7401", "127.0.0.1:7402");
        assertTrue(fault().contains("names an address twice"), this::fault);
    }

    @Test
    void requiredOptions_missing_areAllNamed() {
        List<String> faults = assertThrows(ConfigException.class, this::good).faults();
        for (NodeOption option : NodeOption.values()) {
            assertEquals(option.isRequired(), faults.contains("the test: " + option.key() + " is missing; allowed: "
                + option.allowed()), option.key());
            assertEquals(option.isRequired(), option.standard() == null, option.key());
        }
    }

    // ---- secrets ----

    private Path secretFile(String text, String permissions) throws Exception {
        Path file = Files.writeString(folder.resolve("secret"), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        return file;
    }

    @Test
    void secret_ofAFileOfThisUser_isRead_andPermitsOtherMachines() throws Exception {
        secretFile("0123456789abcdef\n", "rw-------");
        NodeConfig config = superpeer().with(NodeOption.LISTEN, "0.0.0.0:7401").with(NodeOption.NUMBER, "1")
            .with(NodeOption.SECRET_FILE, "secret").good();
        assertArrayEquals("0123456789abcdef".getBytes(StandardCharsets.US_ASCII), config.secret());
        assertFalse(config.toString().contains("0123456789abcdef"), config::toString);
    }

    @Test
    void secret_tooShort_orReadByOthers_isAFault() throws Exception {
        secretFile("short\n", "rw-------");
        superpeer().with(NodeOption.SECRET_FILE, "secret");
        assertTrue(fault().contains("has only 5 bytes"), this::fault);
        secretFile("", "rw-------");
        assertTrue(fault().contains("is empty"), this::fault);
        secretFile("\0".repeat(16), "rw-------");
        assertTrue(fault().contains("has nothing but zeros"), this::fault);
        secretFile("0123456789abcdef", "rw-r--r--");
        assertTrue(fault().contains("can be read or changed by other users: chmod 600"), this::fault);
        secretFile("x".repeat(5_000), "rw-------");
        assertTrue(fault().contains("has more than 4096 bytes"), this::fault);
    }

    // ---- texts ----

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:1", "127.1.2.3:1", "localhost:7400", "[::1]:7400"})
    void addresses_ofThisMachine_areLoopback(String text) {
        Address address = Address.parse(text);
        assertTrue(address.isLoopback(), text);
        assertEquals(text, address.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0:1", "10.0.0.1:65535", "example.org:1", "[::]:80", "[fe80::1]:80",
        "127.0.0.1.evil.org:80", "localhost.evil.org:80"})
    void addresses_ofOtherMachines_areNotLoopback(String text) {
        assertFalse(Address.parse(text).isLoopback(), text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":", "host", "host:", "host:0", "host:65536", "a b:1", "udp:host:1", "ucx:", "ucx:host",
        "tcp:tcp:host:1", "::1:7400"})
    void otherTexts_areNoAddresses(String text) {
        assertNull(Address.parse(text));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "512, 512", "1k, 1024", "64MiB, 67108864", "4g, 4294967296", "1tb, 1099511627776", "-1, -1",
        "1.5g, -1", "x, -1", "9999999999t, -1"})
    void sizes_areReadInPowersOf1024(String text, long bytes) {
        assertEquals(bytes, ByteSize.parse(text));
    }
}
