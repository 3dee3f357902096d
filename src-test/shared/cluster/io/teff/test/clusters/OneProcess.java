package io.teff.test.clusters;

import io.teff.cluster.consensus.SuperpeerLog;
import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.peer.Peer;
import io.teff.cluster.peer.PeerConfig;
import io.teff.cluster.peer.PeerKill;
import io.teff.cluster.superpeer.MemoryLogs;
import io.teff.cluster.superpeer.Superpeer;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.test.kit.Starts;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A superpeer and peers inside of this process, two if nothing is said, over the transport {@code loop:}. Each zone has
 * one backup.
 */
public final class OneProcess implements AutoCloseable {
    private static final int PEERS = 2;
    private static final int ZONES = 4;
    private static final int MEMORY_BYTES = 512 << 20;
    private static final int RING_BYTES = 8 << 20;
    private static final int LOG_BYTES = 16 << 20;
    private static final long SETTLE_NS = 200_000_000L;
    /** Longer than any machine stops or starves a thread: a peer that is only slow must not expire. */
    private static final LeaseTerms TERMS = new LeaseTerms(60_000_000_000L, 10);

    private final String address;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final SuperpeerLog log = MemoryLogs.member(new MachineState.Settings(1, 1));
    private final List<Peer> peers = new ArrayList<>();

    private OneProcess(String address) {
        this.address = address;
    }

    /**
     * Starts a cluster, and waits until its zones are served.
     *
     * @param name of the cluster, unused in this process
     * @param folder of the peers' files, which the caller deletes
     * @return the cluster
     * @throws IOException if a node cannot start
     */
    public static OneProcess start(String name, Path folder) throws IOException {
        return start(name, folder, PEERS, ZONES);
    }

    /**
     * Starts a cluster of some peers, and waits until its zones are served.
     *
     * @param name of the cluster, unused in this process
     * @param folder of the peers' files, which the caller deletes
     * @param peerCount number of peers
     * @param zoneCount zones of each peer
     * @return the cluster
     * @throws IOException if a node cannot start
     */
    public static OneProcess start(String name, Path folder, int peerCount, int zoneCount) throws IOException {
        OneProcess cluster = new OneProcess("loop:" + name + "-superpeer");
        Starts.CLUSTER.count();
        LeapingClock clock = new LeapingClock();
        Superpeer superpeer = Superpeer.start(0, "", NetworkConfig.builder(CellMessages.nid(0)).listen(cluster.address)
            .addresses(_ -> null).handlerThreads(2).build(), cluster.log, TERMS,
            Platform.SYSTEM.withClock(clock), false, _ -> { }, NodeLog.NONE);
        cluster.opened.push(superpeer);
        clock.leap(TERMS.promisedNs());                         // no peer has a promise of an earlier life
        for (int i = 0; i < peerCount; i++) {
            Peer peer = Peer.start(PeerConfig.of(folder.resolve("peer-" + i), "loop:" + name + '-' + i,
                List.of(cluster.address)).withTerms(TERMS).withBytes(MEMORY_BYTES, RING_BYTES, LOG_BYTES)
                .withZones(zoneCount, 1, SETTLE_NS));
            cluster.opened.push(peer);
            cluster.peers.add(peer);
        }
        Threads.await("the zones of a cluster", () -> superpeer.read(machine -> {
            List<ZoneRow> rows = machine.zonesSince(-1);
            return rows.size() >= peerCount * zoneCount && rows.stream().allMatch(row -> row.state().isServed())
                && rows.stream().map(ZoneRow::owner).distinct().count() == peerCount;
        }));
        return cluster;
    }

    /** {@return the address of the superpeer} */
    public String address() {
        return address;
    }

    /**
     * Ends a peer without a word of its own; another process attests its death.
     *
     * @param number of the peer, from 0
     * @throws IOException if its files cannot be closed
     */
    public void kill(int number) throws IOException {
        Peer peer = peers.get(number);
        NodeRef node = peer.node();
        opened.remove(peer);
        PeerKill.kill(peer);
        log.propose(new Command.Ended(node)).join();
    }

    /** Ends the nodes in order. */
    @Override
    public void close() throws IOException {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
    }

    /** The clock of this JVM, which is put forward once: a superpeer is silent for a term after its start. */
    private static final class LeapingClock implements Clock {
        private final AtomicLong leaptNs = new AtomicLong();

        @Override
        public long nowNs() {
            return System.nanoTime() + leaptNs.get();
        }

        private void leap(long ns) {
            leaptNs.addAndGet(ns);
        }
    }
}
