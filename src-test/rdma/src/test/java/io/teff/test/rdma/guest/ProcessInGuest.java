package io.teff.test.rdma.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.rdma.verbs.connect.AddressExchange;
import io.teff.rdma.verbs.queue.CompletionOperation;
import io.teff.rdma.verbs.queue.CompletionStatus;
import io.teff.rdma.verbs.queue.QueuePairAddress;
import io.teff.rdma.verbs.queue.QueuePairSettings;
import io.teff.rdma.verbs.queue.QueuePairType;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A connection to another process, by the exchange of addresses over TCP; the other process is killed. */
final class ProcessInGuest {
    private static Process start(int port) throws IOException {
        return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-ea", "-Xmx128m",
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "--enable-native-access=ALL-UNNAMED", "-cp",
            System.getProperty("java.class.path"), PeerProcess.class.getName(), Integer.toString(port))
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    @Test
    void read_ofAnotherProcess_works_andFailsOnceItIsKilled() throws IOException, InterruptedException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Side side = new Side(Guest.left(), QueuePairSettings.of(QueuePairType.RC))) {
            Process process = start(server.getLocalPort());
            try {
                side.pair.initialize(Guest.PORT);
                QueuePairAddress own = side.address(900);
                AddressExchange.Peer peer = AddressExchange.accept(server, own, new byte[0], 60_000);
                side.pair.connect(own, peer.address(), Guest.PORT, Guest.address(side.context).index(), Link.HASTY);
                assertEquals(PeerProcess.READY, process.inputReader().readLine());
                ByteBuffer memory = peer.data();
                long address = memory.getLong();
                int key = memory.getInt();
                side.sends.read(1, address, key).add(side.region, 0, 8).signalled();
                side.post();
                side.await(1, CompletionOperation.RDMA_READ);
                assertEquals(PeerProcess.GREETING, side.memory().get(ValueLayout.JAVA_LONG, 0));
                process.destroyForcibly().waitFor();
                side.sends.read(2, address, key).add(side.region, 0, 8).signalled();
                side.post();
                side.awaitFailure(2, CompletionStatus.RETRY_EXC_ERR);
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
    }
}
