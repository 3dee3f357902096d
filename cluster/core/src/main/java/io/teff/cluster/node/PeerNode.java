package io.teff.cluster.node;

import io.teff.cluster.config.Address;
import io.teff.cluster.config.NodeConfig;
import io.teff.cluster.message.NodeStatus;
import io.teff.cluster.message.StatusRequest;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.peer.Peer;
import io.teff.cluster.peer.PeerConfig;
import io.teff.cluster.peer.PeerStats;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.LockedException;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A peer inside a process. */
final class PeerNode extends Node {
    private final Peer peer;
    private final StatusSource source;
    private final Consumer<String> log;

    private PeerNode(NodeConfig config, Peer peer, StatusSource source, Consumer<String> log) {
        super(config);
        this.peer = peer;
        this.source = source;
        this.log = log;
    }

    static PeerNode start(NodeConfig config, Consumer<String> log) throws NodeStartException {
        checkPorts(config, List.of());
        StatusSource source = new StatusSource(config);
        int ring = (int) config.peer().ringBytes();
        PeerConfig peer = PeerConfig.of(config.folder(), config.listen().link(),
                config.superpeers().stream().map(Address::link).toList())
            .withAddress(config.address().link()).withSecret(config.secret().bytes()).withTls(config.tls().context())
            .withTerms(config.lease())
            .withBytes(config.peer().memoryBytes(), ring, NodeDisks.logBytes(config));
        try {
            PeerNode node = new PeerNode(config, Peer.start(peer), source, log);
            node.peer.answerStatus(node::status);
            return node;
        } catch (LockedException e) {
            throw new NodeStartException("the folder " + config.folder() + " is in use: " + FailureText.of(e), e);
        } catch (IOException | RuntimeException e) {
            throw new NodeStartException("the peer cannot start: " + FailureText.of(e), e);
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
    public PeerStats stats() {
        return peer.stats();
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
    public void close() {
        try {
            peer.close();
        } catch (IOException e) {
            log.accept("the peer did not end in order: " + FailureText.of(e));
        }
    }
}
