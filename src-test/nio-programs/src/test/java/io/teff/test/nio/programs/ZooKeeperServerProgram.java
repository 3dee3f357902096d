package io.teff.test.nio.programs;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/** A server of ZooKeeper, with its own connections by java.nio. */
final class ZooKeeperServerProgram {
    private static final int TICK_MS = 2_000;
    private static final int CONNECTIONS_MAX = 5_000;

    private ZooKeeperServerProgram() {}

    public static void main(String[] arguments) throws Exception {
        System.setProperty("zookeeper.admin.enableServer", "false");
        System.setProperty("zookeeper.forceSync", "no");
        final Path folder = Path.of(arguments[0]);
        final ZooKeeperServer server = new ZooKeeperServer(folder.resolve("snapshots").toFile(),
            folder.resolve("log").toFile(), TICK_MS);
        final ServerCnxnFactory connections = ServerCnxnFactory.createFactory(
            new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), CONNECTIONS_MAX);
        connections.startup(server);
        Told.line(Told.READY, connections.getLocalPort());
        Told.awaitStop();
        Told.line("SESSIONS", server.getNumAliveConnections());
        connections.shutdown();
        server.shutdown();
        Told.counts();
    }
}
