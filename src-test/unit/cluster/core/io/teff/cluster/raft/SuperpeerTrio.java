package io.teff.cluster.raft;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.consensus.SnapshotBound;
import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.SuperpeersAnswer;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.superpeer.Superpeer;
import io.teff.engine.os.Platform;
import io.teff.recovery.disk.FaultDisk;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Three superpeers with real consensus and real messages in one process, which a test kills and starts again. */
public final class SuperpeerTrio implements AutoCloseable {
    private static final int COUNT = 3;

    private final String name;
    private final int snapshotCommands;
    private final Map<Integer, Running> running = new ConcurrentHashMap<>();
    private final Map<Integer, FaultDisk> disks = new ConcurrentHashMap<>();
    /** Superpeers whose messages of the log are dropped, as at the end of a process. */
    private final Set<Integer> dead = ConcurrentHashMap.newKeySet();

    private record Running(RaftLog log, Superpeer superpeer) {}

    /** Starts three superpeers; each takes a snapshot after so many commands. */
    public SuperpeerTrio(String name, int snapshotCommands) throws IOException {
        this.name = name;
        this.snapshotCommands = snapshotCommands;
        for (int i = 0; i < COUNT; i++) {
            disks.put(i, new FaultDisk());
            start(i);
        }
        Threads.await("the cluster is founded", () -> running.values().stream()
            .allMatch(it -> it.superpeer().cluster().isKnown()));
    }

    private String address(int number) {
        return "loop:" + name + '-' + number;
    }

    /** Returns the configuration of a client. */
    public ClientConfig.Builder client() {
        return ClientConfig.builder(IntStream.range(0, COUNT).mapToObj(this::address).toArray(String[]::new));
    }

    /** Starts a superpeer, again if it was killed. */
    public void start(int number) throws IOException {
        final SuperpeerSet known = SuperpeerSet.of(IntStream.range(0, COUNT).mapToObj(this::address).toList());
        final Platform platform = Platform.SYSTEM.withDisk(disks.get(number));
        final RaftLog log = new RaftLog(new RaftLog.Config(number, address(number), FaultDisk.ROOT,
            new MachineState.Settings(COUNT, 1), new SnapshotBound(snapshotCommands, 1 << 20), known), platform,
            _ -> { });
        dead.remove(number);
        log.start();
        final Superpeer superpeer = Superpeer.start(number, address(number), NetworkConfig
            .builder(CellMessages.nid(number)).listen(address(number)).cluster(ClusterId.NONE)
            .addresses(nid -> nid <= COUNT ? address(nid - 1) : null).handlerThreads(4).build(), log,
            LeaseTerms.DEFAULT, platform, false, network -> {
                network.answer(CellMessages.PART, (_, _) -> log.part());
                network.answer(CellMessages.ENTER, (_, request) -> log.enter(request).join());
                network.handleShort(CellMessages.RAFT, (nid, bytes) -> {
                    if (!dead.contains(number)) {
                        log.receive(CellMessages.superpeer(nid), bytes);
                    }
                });
                network.answer(CellMessages.SUPERPEERS, (_, _) -> new SuperpeersAnswer(log.superpeers()));
            }, NodeLog.NONE);
        running.put(number, new Running(log, superpeer));
        log.join(superpeer::request, (to, bytes) -> {
            if (!dead.contains(number)) {
                superpeer.send(to, bytes);
            }
        });
    }

    /** Returns the leading superpeer. */
    public int leader() {
        Threads.await("a superpeer leads", () -> running.values().stream().anyMatch(it -> it.superpeer().isLeading()));
        return running.entrySet().stream().filter(each -> each.getValue().superpeer().isLeading())
            .map(Map.Entry::getKey).findFirst().orElseGet(this::leader);
    }

    /** Ends a superpeer as if its process was killed: it says nothing to the others. */
    public void kill(int number) {
        dead.add(number);
        running.remove(number).superpeer().close();
    }

    /** Reads the metadata of all running superpeers. */
    public <T> List<T> read(Function<MetadataMachine, T> reader) {
        return running.values().stream().map(it -> it.superpeer().read(reader)).toList();
    }

    @Override
    public void close() {
        dead.addAll(running.keySet());
        running.values().forEach(it -> it.superpeer().close());
    }
}
