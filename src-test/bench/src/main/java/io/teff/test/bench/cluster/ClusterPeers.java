package io.teff.test.bench.cluster;

import io.teff.cluster.consensus.SuperpeerLog;
import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.HandledBy;
import io.teff.cluster.net.message.RawRequestType;
import io.teff.cluster.peer.Peer;
import io.teff.cluster.peer.PeerConfig;
import io.teff.cluster.superpeer.Superpeer;
import io.teff.engine.os.Platform;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Three peers of this process, each zone with two backups, and a superpeer whose metadata are in memory. Beside them
 * are two plain nodes: one answers each request with the request itself.
 */
final class ClusterPeers implements Closeable {
    /** Requests whose answer is the request itself. */
    static final RawRequestType PING = RawRequestType.of(1000, 1 << 16, 1 << 16);
    /** NID of the node that answers them. */
    static final int PLAIN = 3;
    private static final int PEERS = 3;
    private static final int BACKUPS = 2;
    private static final int ZONES_PER_PEER = 8;
    private static final long MEMORY_BYTES = 256L << 20;
    private static final int RING_BYTES = 32 << 20;
    private static final int LOG_BYTES = 64 << 20;
    /** Long, so that no peer asks for zones before the last one has joined, also on a busy machine. */
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long LIMIT_NS = TimeUnit.MINUTES.toNanos(1);
    /** Long, so that a busy machine does not end a life. */
    private static final LeaseTerms TERMS = new LeaseTerms(TimeUnit.SECONDS.toNanos(5), 10);

    private final Deque<Closeable> opened = new ArrayDeque<>();
    private final Metadata metadata = new Metadata();
    private final String superpeer;
    private final Network plain;

    /** The metadata, without other superpeers. */
    private static final class Metadata implements SuperpeerLog {
        private final MetadataMachine machine =
            new MetadataMachine(MachineState.initial(new MachineState.Settings(1, BACKUPS)));

        @Override
        public synchronized CompletableFuture<CommandReply> propose(Command command) {
            return CompletableFuture.completedFuture(machine.apply(command));
        }

        @Override
        public boolean isLeading() {
            return true;
        }

        @Override
        public boolean isMember() {
            return true;
        }

        @Override
        public int restarts() {
            return 0;
        }

        @Override
        public boolean needsRoom() {
            return false;
        }

        @Override
        public boolean isVoter(int superpeer) {
            return true;
        }

        @Override
        public boolean remove(int superpeer) {
            return true;
        }

        @Override
        public synchronized <T> T read(Function<MetadataMachine, T> reader) {
            return reader.apply(machine);
        }

        @Override
        public void close() {}
    }

    ClusterPeers(ClusterKind kind) throws IOException {
        superpeer = kind.local() + freePort();
        Path folder = Files.createTempDirectory("teff-bench-cluster");
        opened.push(() -> delete(folder));                      // last, behind the peers
        opened.push(Superpeer.start(0, NetworkConfig.builder(CellMessages.nid(0)).listen(superpeer)
            .addresses(ignored -> null).handlerThreads(2).build(), metadata, TERMS, Platform.SYSTEM)::close);
        for (int i = 0; i < PEERS; i++) {
            opened.push(Peer.start(PeerConfig.of(folder.resolve("peer-" + i), kind.local() + freePort(),
                List.of(superpeer)).withTerms(TERMS).withBytes(MEMORY_BYTES, RING_BYTES, LOG_BYTES)
                .withZones(ZONES_PER_PEER, BACKUPS, SETTLE_NS))::close);
        }
        plain = Network.open(NetworkConfig.builder(PLAIN).listen(kind.local() + '0').spinNs(kind.spinNs()).build(),
            it -> it.raw().answer(PING, HandledBy.AGENT, (from, memory, offset, length, answer) ->
                answer.complete(memory, offset, length)));
        opened.push(plain::close);
        awaitZones();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private void awaitZones() {
        long end = System.nanoTime() + LIMIT_NS;
        while (metadata.read(machine -> machine.zonesSince(-1)).stream()
            .filter(row -> row.state() == ZoneState.OPEN && row.backups().size() == BACKUPS).count()
            < PEERS * ZONES_PER_PEER) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("the zones are not open: "
                    + metadata.read(machine -> machine.zonesSince(-1)));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** Returns the address of the superpeer. */
    String superpeer() {
        return superpeer;
    }

    /** Returns a node that can send {@link #PING} to the plain node. */
    Network open(ClusterKind kind) throws IOException {
        String address = plain.addresses().getFirst();
        return Network.open(NetworkConfig.builder(2).addresses(nid -> nid == PLAIN ? address : null)
            .spinNs(kind.spinNs()).build());
    }

    @Override
    public void close() throws IOException {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }
}
