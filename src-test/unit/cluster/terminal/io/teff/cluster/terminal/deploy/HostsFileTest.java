package io.teff.cluster.terminal.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.admin.ConfigException;
import io.teff.cluster.admin.NodeOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of hosts: nodes of a good file, and the faults of wrong files with their lines. */
final class HostsFileTest {
    @TempDir
    private Path folder;

    private Deployment load(String text) throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef0123456789abcdef\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        return HostsFile.load(Files.writeString(folder.resolve("hosts.toml"), text));
    }

    private List<String> faults(String text) {
        return assertThrows(ConfigException.class, () -> load(text)).faults();
    }

    @Test
    void goodFile_hasNodesInOrder_withTheirConfigurations() throws Exception {
        Deployment deployment = load("""
            [deploy]
            ssh-options = ["-i", "key"]
            peer-heap = "1g"
            [node]
            cluster = "shop"
            console = "https://{address}:7480"
            [cluster]
            secret-file = "secret"
            [peer]
            memory = "2g"
            [[host]]
            name = "one"
            address = "10.0.0.1"
            ssh = "teff@10.0.0.1"
            ssh-port = 2222
            superpeer = 7400
            peer = 7410
            [[host]]
            address = "node-2.example"
            rack = "room-1/rack-2"
            peer = 7410
            """.replace("console = \"https://{address}:7480\"\n", ""));
        assertEquals(List.of("superpeer-one", "peer-one", "peer-node-2.example"), deployment.nodes().stream()
            .map(NodePlan::name).toList());
        assertEquals(List.of("10.0.0.1:7400"), deployment.superpeers());
        NodePlan peer = deployment.node("peer-node-2.example");
        assertEquals("1g", peer.heap());
        assertEquals("2g", peer.values().get(NodeOption.MEMORY).text());
        assertEquals("node-2.example:7410", peer.address());
        assertEquals("room-1/rack-2", peer.values().get(NodeOption.RACK).text());
        assertTrue(peer.text().contains("rack = \"room-1/rack-2\""), peer::text);
        assertFalse(deployment.node("superpeer-one").values().containsKey(NodeOption.RACK));
        assertFalse(deployment.node("peer-one").values().containsKey(NodeOption.RACK));
        assertTrue(peer.text().contains("superpeers = [\"10.0.0.1:7400\"]"), peer::text);
        assertEquals(folder.resolve("secret"), peer.files().get("secret-file"));
        HostPlan host = deployment.hosts().getFirst();
        assertEquals(List.of("-i", "key"), host.sshOptions());
        List<String> command = HostShell.SSH.command(host, List.of("sh", "-c", "echo 'a b'"));
        assertEquals("'sh' '-c' 'echo '\\''a b'\\'''", command.getLast());
        assertTrue(command.containsAll(List.of("BatchMode=yes", "PasswordAuthentication=no", "2222", "-i", "key",
            "teff@10.0.0.1")), command::toString);
    }

    /** Two consoles of a host would have one port. */
    @Test
    void console_isThatOfSuperpeersOnly() throws Exception {
        Deployment deployment = load("""
            [node]
            console = "http://127.0.0.1:7480"
            [cluster]
            secret-file = "secret"
            [[host]]
            name = "one"
            address = "10.0.0.1"
            superpeer = 7400
            peer = 7410
            """);
        assertEquals("http://127.0.0.1:7480", deployment.node("superpeer-one").values().get(NodeOption.CONSOLE).text());
        assertFalse(deployment.node("peer-one").values().containsKey(NodeOption.CONSOLE));
    }

    @Test
    void wrongKeys_areNamedWithTheirLines() {
        List<String> faults = faults("""
            [deploy]
            manger = "setsid"
            [node]
            role = "peer"
            [cluster]
            leese-ms = 5
            [[host]]
            address = "10.0.0.1; rm -rf /"
            superpeer = 70000
            """);
        String file = folder.resolve("hosts.toml").toString();
        assertTrue(faults.get(0).startsWith(file + ":2: manger: there is no such key"), faults::toString);
        assertTrue(faults.get(1).startsWith(file + ":8: address: '10.0.0.1; rm -rf /' is not allowed"),
            faults::toString);
        assertTrue(faults("[node]\nrole = \"peer\"\n[[host]]\naddress = \"a\"\nsuperpeer = 1\n").toString()
            .contains(":2: role: follows from the hosts"));
    }

    @Test
    void valuesOfNodes_areCheckedAsThoseOfNodes() {
        List<String> faults = faults("[cluster]\nsecret-file = \"secret\"\nlease-ms = 5\n[[host]]\naddress = "
            + "\"10.0.0.1\"\nsuperpeer = 7400\n");
        assertTrue(faults.getFirst().contains(":3: lease-ms: cluster.lease-ms: 5 is out of range"), faults::toString);
        assertTrue(faults("[[host]]\naddress = \"10.0.0.1\"\nsuperpeer = 7400\n").toString().contains("secret"));
        assertTrue(faults("[[host]]\naddress = \"10.0.0.1\"\npeer = 7400\n").toString()
            .contains("no host has a superpeer"));
        assertTrue(faults("[[host]]\naddress = \"a\"\n[[host]]\naddress = \"a\"\n").toString()
            .contains("there are two hosts a"));
        assertTrue(faults("").toString().contains("there is no [[host]]"));
    }
}
