package io.teff.cluster.node;

import io.teff.cluster.admin.Figure;
import io.teff.cluster.admin.NodeFigures;
import io.teff.cluster.admin.NodeStartException;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.cell.KnownSuperpeers;
import io.teff.cluster.config.Address;
import io.teff.cluster.consensus.SnapshotBound;
import io.teff.cluster.figure.NetworkFigures;
import io.teff.cluster.figure.NodeReports;
import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.EnterAnswer;
import io.teff.cluster.message.StatusRequest;
import io.teff.cluster.message.SuperpeersAnswer;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.raft.RaftLog;
import io.teff.cluster.superpeer.Superpeer;
import io.teff.engine.os.Deadline;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Platform;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A superpeer inside a process. */
final class SuperpeerNode extends Node {
    /** Commands wait for the replicated log, so several wait at once. */
    private static final int HANDLER_THREADS = 4;
    private static final long SEARCH_NS = TimeUnit.SECONDS.toNanos(30);

    private final SuperpeerFolder folder;
    private final RaftLog consensus;
    private final Superpeer superpeer;
    private final StatusSource source;

    private SuperpeerNode(NodeConfig config, Platform platform, SuperpeerFolder folder, RaftLog consensus,
                          Superpeer superpeer, StatusSource source, NodeLog log) {
        super(config, platform, log);
        this.folder = folder;
        this.consensus = consensus;
        this.superpeer = superpeer;
        this.source = source;
    }

    static SuperpeerNode start(NodeConfig config, Platform platform, NodeLog log) throws NodeStartException {
        SuperpeerFolder folder = SuperpeerFolder.open(config);
        boolean isStarted = false;
        try {
            checkPort(config);
            SuperpeerNode node = start(config, platform, folder, log);
            isStarted = true;
            return node;
        } catch (IOException | RuntimeException e) {
            throw new NodeStartException("the superpeer cannot start: " + FailureText.of(e), e);
        } finally {
            if (!isStarted) {
                folder.close();
            }
        }
    }

    private static SuperpeerNode start(NodeConfig config, Platform platform, SuperpeerFolder folder, NodeLog log)
        throws IOException {
        int number = config.superpeer().number();
        KnownSuperpeers known = known(config, folder, platform);
        MachineState.Settings settings = new MachineState.Settings(config.superpeers().size(),
            config.superpeer().backups(), config.superpeer().scatterWidth());
        StatusSource source = new StatusSource(config, platform.clock());
        AtomicReference<@Nullable SuperpeerNode> started = new AtomicReference<>();
        String address = address(config);
        RaftLog consensus = new RaftLog(new RaftLog.Config(number, address, folder.cell(), settings,
            SnapshotBound.ofCommands(config.superpeer().snapshotCommands()), known.set()), platform,
            failure -> told(log, failure));
        try {
            consensus.start();
            NetworkConfig network = NodeNetwork.of(config, folder.cluster(), CellMessages.nid(number), HANDLER_THREADS,
                nid -> known.address(nid, consensus.superpeers()),
                NodeNetwork.listener(log, cluster -> folder.joined(cluster, log)));
            Superpeer superpeer = Superpeer.start(number, address, network, consensus, config.lease(),
                platform, folder.isRebuilding(), opened -> {
                    opened.answer(CellMessages.STATUS, (_, request) -> {
                        SuperpeerNode node = started.get();
                        return node == null ? source.starting() : node.status(request);
                    });
                    NodeReports.register(opened, () -> {
                        SuperpeerNode node = started.get();
                        return node == null ? null : node.figures();
                    });
                    opened.answer(CellMessages.PART, (_, _) -> consensus.part());
                    opened.answer(CellMessages.ENTER, (nid, request) -> CellMessages.nid(request.superpeer()) == nid
                        ? consensus.enter(request).join() : EnterAnswer.NOT_LEADING);
                    opened.handleShort(CellMessages.RAFT, (nid, bytes) ->
                        consensus.receive(CellMessages.superpeer(nid), bytes));
                    opened.answer(CellMessages.SUPERPEERS, (_, _) ->
                        new SuperpeersAnswer(known.named(consensus.superpeers())));
                }, log);
            SuperpeerNode node = new SuperpeerNode(config, platform, folder, consensus, superpeer, source, log);
            consensus.join(superpeer::request, superpeer::send);
            started.set(node);
            node.keepFigures();
            return node;
        } finally {
            if (started.get() == null) {
                consensus.close();
            }
        }
    }

    /**
     * Returns the superpeers that this superpeer has seen last; or the configured superpeers; or, for a superpeer that
     * was added to a cluster, the superpeers of the cluster.
     */
    private static KnownSuperpeers known(NodeConfig config, SuperpeerFolder folder, Platform platform)
        throws IOException {
        List<String> configured = config.superpeers().stream().map(Address::link).toList();
        SuperpeerSet seen = RaftLog.known(platform.disk(), folder.cell());
        if (seen.version() > 0) {
            return new KnownSuperpeers(seen, configured, false);
        }
        if (isListed(config)) {
            return KnownSuperpeers.of(configured);
        }
        KnownSuperpeers found = NodeNetwork.search(config, folder.cluster(), seen, platform)
            .all(Deadline.in(platform.clock(), SEARCH_NS));
        if (found.set().version() == 0) {
            throw new IOException("no superpeer of " + configured + " answers, and superpeer "
                + config.superpeer().number() + " is not at this place of the list");
        }
        return found;
    }

    /** Returns whether this superpeer is in the configured list, at the place of its number. */
    private static boolean isListed(NodeConfig config) {
        int number = config.superpeer().number();
        int position = config.superpeers().indexOf(config.listen());
        return number < config.superpeers().size() && (position == number || position < 0);
    }

    /** Returns the address at which other nodes find this superpeer. */
    private static String address(NodeConfig config) {
        return (isListed(config) ? config.superpeers().get(config.superpeer().number()) : config.listen()).link();
    }

    private static void told(NodeLog log, Throwable failure) {
        String text = FailureText.of(failure);
        log.log(NodeEvent.CONSENSUS, NodeLog.words(text), text);
    }

    @Override
    public boolean isReady() {
        // a rebuild gives the cluster its identity, and waits for ready superpeers before
        return superpeer.isAnnounced() && (superpeer.cluster().isKnown() || folder.isRebuilding())
            && !consensus.needsRoom();
    }

    @Override
    public NodeRef reference() {
        return new NodeRef(CellMessages.nid(config().superpeer().number()), 0);
    }

    @Override
    public NodeStatus status(StatusRequest request) {
        return source.superpeer(reference(), superpeer.read(MetadataMachine::version), superpeer.isLeading(),
            folder.bytes(), problem());
    }

    private String problem() {
        String failure = failure();
        return failure != null ? failure : consensus.waitsFor().isEmpty() ? "" : "waits for " + consensus.waitsFor();
    }

    @Override
    public @Nullable String failure() {
        String misfit = superpeer.misfit();
        return misfit != null ? misfit : consensus.failure();
    }

    @Override
    String missing() {
        String waitsFor = consensus.waitsFor();
        return waitsFor.isEmpty() ? "the superpeers have no leader, or this one has not applied the log yet; are the"
            + " others running?" : "it waits for " + waitsFor;
    }

    @Override
    void addFigures(NodeFigures.Builder to) {
        to.set(Figure.LOG_SIZE, folder.bytes()).set(Figure.LEADING, superpeer.isLeading() ? 1 : 0)
            .set(Figure.CLIENTS, superpeer.read(machine -> machine.openSessions().size()))
            .set(Figure.TABLE_VERSION, superpeer.read(MetadataMachine::version));
        NetworkFigures.read(superpeer.stats(), to);
    }

    @Override
    void end() {
        try {
            superpeer.close();
        } finally {
            folder.close();
        }
    }
}
