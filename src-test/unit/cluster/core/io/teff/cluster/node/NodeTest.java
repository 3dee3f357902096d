package io.teff.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.admin.ConfigException;
import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeStartException;
import io.teff.cluster.admin.OptionValue;
import io.teff.cluster.config.Address;
import io.teff.cluster.log.NodeLog;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskLock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes inside this process: what is in the way of a start is named, and a failed start leaves nothing behind. */
class NodeTest {
    @TempDir
    private Path folder;
    private int port;

    @BeforeEach
    void findPorts() {
        port = 20_000 + ThreadLocalRandom.current().nextInt(1_200) * 10;
        while (!PortCheck.checkTcp(address(0)).isEmpty()) {
            port += 10;
        }
    }

    private Address address(int offset) {
        return new Address("127.0.0.1", port + offset);
    }

    private NodeConfig config(String role) throws ConfigException {
        Map<NodeOption, OptionValue> values = new EnumMap<>(NodeOption.class);
        values.put(NodeOption.ROLE, OptionValue.of(role));
        values.put(NodeOption.FOLDER, OptionValue.of(folder.resolve("data").toString()));
        values.put(NodeOption.LISTEN, OptionValue.of(address(0).toString()));
        values.put(NodeOption.SUPERPEERS, OptionValue.of(address(0).toString()));
        return NodeConfig.of(values, "the test");
    }

    private static String failure(NodeConfig config) {
        return assertThrows(NodeStartException.class, () -> Node.begin(config, NodeLog.NONE).close())
            .getMessage();
    }

    @Test
    void start_withAPortInUse_namesIt_andLeavesTheFolderFree() throws Exception {
        NodeConfig config = config("superpeer");
        try (ServerSocket _ = bound(0)) {
            String message = failure(config);
            assertTrue(message.contains("TCP port 127.0.0.1:" + port + " cannot be used"), message);
            assertEquals(1, message.lines().count(), message);
        }
        try (SuperpeerFolder free = SuperpeerFolder.open(config)) {
            assertTrue(Files.exists(free.cell().getParent()));
        }
    }

    private ServerSocket bound(int offset) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.bind(new InetSocketAddress("127.0.0.1", port + offset));
        return socket;
    }

    @Test
    void start_inAFolderInUse_namesTheHolder() throws Exception {
        NodeConfig config = config("superpeer");
        try (SuperpeerFolder _ = SuperpeerFolder.open(config)) {
            String message = failure(config);
            assertTrue(message.contains("is in use"), message);
            assertTrue(message.contains(String.valueOf(ProcessHandle.current().pid())), message);
        }
    }

    @Test
    void start_ofAPeerInAFolderInUse_namesTheHolder() throws Exception {
        NodeConfig config = config("peer");
        Files.createDirectories(config.folder());
        try (DiskLock _ = Disk.SYSTEM.lock(config.folder().resolve("node.lock"), "a node in process "
            + ProcessHandle.current().pid())) {
            String message = failure(config);
            assertTrue(message.contains("the folder " + config.folder() + " is in use"), message);
            assertTrue(message.contains(String.valueOf(ProcessHandle.current().pid())), message);
        }
    }

    @Test
    void start_inTheFolderOfAnotherRole_isRefused() throws Exception {
        Files.createDirectories(folder.resolve("data/cell"));
        assertTrue(failure(config("peer")).contains("belongs to a superpeer, and this node is a peer"));
        Files.delete(folder.resolve("data/cell"));
        Files.writeString(folder.resolve("data/node"), "x");
        assertTrue(failure(config("superpeer")).contains("belongs to a peer, and this node is a superpeer"));
    }

    @Test
    void ports_withAnUnknownHost_areNotUsable() {
        assertEquals(List.of("the host no-such-host.invalid is unknown"),
            PortCheck.checkTcp(new Address("no-such-host.invalid", port)));
    }

    @Test
    void status_ofANodeThatStarts_hasItsProcess() throws Exception {
        var status = new StatusSource(config("superpeer"), Clock.SYSTEM).starting();
        assertEquals(ProcessHandle.current().pid(), status.process().pid());
        assertEquals(NodeRole.SUPERPEER, status.role());
        assertNull(status.peer());
    }
}
