package io.teff.test.rdma.guest;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.offer.MemoryOffer;
import io.teff.rdma.reads.ChunkReader;
import io.teff.rdma.reads.ChunkRequests;
import io.teff.rdma.reads.MemoryTicket;
import io.teff.rdma.reads.PeerLostException;
import io.teff.rdma.reads.ReadStatistics;
import io.teff.rdma.reads.VerbsOffer;
import io.teff.rdma.reads.VerbsPeerMemory;
import io.teff.rdma.verbs.connect.AddressExchange;
import io.teff.rdma.verbs.queue.QueuePairAddress;
import io.teff.rdma.verbs.queue.QueuePairSettings;
import io.teff.rdma.verbs.queue.QueuePairType;
import io.teff.test.reads.ReadCheck;
import io.teff.test.reads.SocketRequests;
import io.teff.test.reads.Truth;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One-sided reads by RDMA READ: of this process's own store, and of one that another process changes. {@code
 * -Dteff.reads=N} for another number of reads.
 */
final class ReadsInGuest {
    private static final int READS = 3000;
    private static final int PATIENCE_MS = 60_000;

    @TempDir
    private Path folder;

    private Process owner(int port) throws IOException {
        return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-ea", "-Xmx128m",
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "--enable-native-access=ALL-UNNAMED", "-cp",
            System.getProperty("java.class.path"), OwnerInProcess.class.getName(), Integer.toString(port),
            folder.resolve("truth").toString()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static byte[] bytes(ByteBuffer buffer) {
        final byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    @Test
    void get_besideAWriterInAnotherProcess_isNeitherTornNorStale() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 2, InetAddress.getLoopbackAddress());
                Truth truth = new Truth(folder.resolve("truth"));
                Side side = new Side(Guest.left(), QueuePairSettings.of(QueuePairType.RC))) {
            final Process owner = owner(server.getLocalPort());
            try (BufferedReader output = owner.inputReader()) {
                side.pair.initialize(Guest.PORT);
                final QueuePairAddress own = side.address(900);
                final AddressExchange.Peer peer = AddressExchange.accept(server, own, new byte[0], PATIENCE_MS);
                side.pair.connect(own, peer.address(), Guest.PORT, Guest.address(side.context).index(), Link.PATIENT);
                try (Socket asking = server.accept();
                        VerbsPeerMemory memory = new VerbsPeerMemory(MemoryTicket.of(bytes(peer.data())), side.pair,
                            side.queue, side.domain)) {
                    final SocketRequests requests = new SocketRequests(asking);
                    final ChunkReader reader = new ChunkReader(memory, requests);
                    final String line = new ReadCheck(truth).run(reader, requests,
                        Integer.getInteger("teff.reads", READS));
                    truth.stop();
                    System.out.println("one-sided reads over verbs: " + line + "; owner: " + output.readLine());
                    final ReadStatistics statistics = reader.statistics();
                    assertTrue(statistics.oneSided() > statistics.requests(), statistics::toString);
                }
            } finally {
                owner.destroyForcibly().waitFor();
            }
        }
    }

    @Test
    void get_registrationEnded_losesThePeer() {
        try (Store store = Store.open(StoreConfig.builder().memoryLimitBytes(8 << 20).build());
                MemoryOffer offer = MemoryOffer.of(store); Link link = Link.of(QueuePairType.RC)) {
            final long cid = store.create(new byte[] {1, 2, 3});
            final VerbsOffer registration = VerbsOffer.register(offer, link.right.domain);
            final MemorySegment target = Arena.ofAuto().allocate(16);
            try (VerbsPeerMemory memory = new VerbsPeerMemory(registration.ticket(), link.left.pair, link.left.queue,
                link.left.domain)) {
                final ChunkReader reader = new ChunkReader(memory, (asked, into, offset) ->
                    new ChunkRequests.Answer(store.get(asked, into, offset), offer.place(asked)));
                for (int i = 0; i < 3; i++) {
                    assertTrue(reader.get(cid, target, 0) == 3 && target.get(ValueLayout.JAVA_BYTE, 2) == 3);
                }
                assertTrue(reader.statistics().oneRound() == 1, () -> reader.statistics().toString());
                registration.close();
                assertThrows(PeerLostException.class, () -> reader.get(cid, target, 0));
            }
        }
    }
}
