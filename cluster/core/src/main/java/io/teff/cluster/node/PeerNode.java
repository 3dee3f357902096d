package io.teff.cluster.node;

import io.teff.cluster.admin.Figure;
import io.teff.cluster.admin.NodeFigures;
import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.NodeStartException;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.cell.ClusterFile;
import io.teff.cluster.cell.KnownSuperpeers;
import io.teff.cluster.cell.MisfitException;
import io.teff.cluster.cell.SuperpeersFile;
import io.teff.cluster.config.Address;
import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.message.StatusRequest;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.peer.Peer;
import io.teff.cluster.peer.PeerConfig;
import io.teff.engine.os.Deadline;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.LockedException;
import io.teff.engine.os.Platform;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A peer inside a process. */
final class PeerNode extends Node {
    /** How long a peer configured with a single superpeer waits for the superpeer. */
    private static final long SEARCH_NS = TimeUnit.SECONDS.toNanos(60);

    private final Peer peer;
    private final StatusSource source;
    private final NodeLog log;

    private PeerNode(NodeConfig config, Platform platform, Peer peer, StatusSource source, NodeLog log) {
        super(config, platform, log);
        this.peer = peer;
        this.source = source;
        this.log = log;
    }

    static PeerNode start(NodeConfig config, Platform platform, NodeLog log) throws NodeStartException {
        checkPort(config);
        // before the search, because the search may take a minute
        prepare(config, platform);
        StatusSource source = new StatusSource(config, platform.clock());
        int ring = (int) config.peer().ringBytes();
        PeerConfig peer = PeerConfig.of(config.folder(), config.listen().link(), addresses(config))
            .withSuperpeers(superpeers(config, platform)).withAddress(config.address().link())
            .withSecret(config.secret()).withTls(config.cellTls()).withCluster(config.cluster())
            .withTerms(config.lease()).withLog(log).withPlatform(platform)
            .withBytes(config.peer().memoryBytes(), ring, NodeDisks.logBytes(config))
            .withCopyRate(config.peer().copyRate()).withJars(config.peer().jars()).withRack(config.peer().rack());
        try {
            PeerNode node = new PeerNode(config, platform, Peer.start(peer), source, log);
            node.peer.damage().forEach((copy, parts) -> log.log(NodeEvent.COPY_DAMAGED,
                "copy " + copy.copy() + " of zone " + copy.zone()
                + " is damaged and is not used: " + String.join("; ", parts)));
            node.peer.answerStatus(node::status);
            node.peer.answerReports(node.keepFigures());
            return node;
        } catch (LockedException e) {
            throw inUse(config, e);
        } catch (IOException | RuntimeException e) {
            throw new NodeStartException("the peer cannot start: " + FailureText.of(e), e);
        }
    }

    /** Checks that the folder is free, and warms up while starting superpeers wait for each other. */
    private static void prepare(NodeConfig config, Platform platform) throws NodeStartException {
        try {
            Peer.prepare(PeerConfig.of(config.folder(), config.listen().link(), addresses(config))
                .withPlatform(platform));
        } catch (LockedException e) {
            throw inUse(config, e);
        } catch (IOException e) {
            throw new NodeStartException("the folder " + config.folder() + " cannot be used: " + FailureText.of(e), e);
        } catch (RuntimeException e) {
            throw new NodeStartException("the peer cannot start: " + FailureText.of(e), e);
        }
    }

    private static NodeStartException inUse(NodeConfig config, LockedException e) {
        return new NodeStartException("the folder " + config.folder() + " is in use: " + FailureText.of(e), e);
    }

    private static List<String> addresses(NodeConfig config) {
        return config.superpeers().stream().map(Address::link).toList();
    }

    /** Returns all superpeers, also if the configuration has a single address. */
    private static KnownSuperpeers superpeers(NodeConfig config, Platform platform) throws NodeStartException {
        try {
            ClusterId cluster = ClusterFile.read(platform.disk(), config.folder());
            return NodeNetwork.search(config, cluster, SuperpeersFile.read(platform.disk(), config.folder()), platform)
                .all(Deadline.in(platform.clock(), SEARCH_NS));
        } catch (MisfitException e) {
            throw new NodeStartException("the superpeers and this peer do not fit: " + FailureText.of(e)
                + " (" + NodeOption.SECRET_FILE.key() + ", [tls], " + NodeOption.CLUSTER.key() + ")", e);
        } catch (IOException e) {
            throw new NodeStartException("the peer has no network: " + FailureText.of(e), e);
        }
    }

    @Override
    public boolean isReady() {
        return peer.holdsLease();
    }

    @Override
    public NodeRef reference() {
        return peer.node();
    }

    @Override
    public NodeStatus status(StatusRequest request) {
        return source.peer(peer, request);
    }

    @Override
    public @Nullable String failure() {
        return peer.failure();
    }

    @Override
    String missing() {
        Exception problem = peer.problem();
        String misfit = peer.misfit();
        return misfit != null ? misfit : problem != null ? FailureText.of(problem)
            : "it has joined as " + peer.node() + ", and too few superpeers answer its heartbeats";
    }

    @Override
    void addFigures(NodeFigures.Builder to) {
        peer.figures(to);
        to.set(Figure.LOG_SIZE, peer.logBytes());
    }

    @Override
    void end() {
        try {
            peer.close();
        } catch (IOException e) {
            log.log(NodeEvent.NODE_FAILED, "the peer did not end in order: " + FailureText.of(e));
        }
    }
}
