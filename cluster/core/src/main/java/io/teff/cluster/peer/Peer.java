package io.teff.cluster.peer;

import io.teff.cluster.meta.NodeRef;
import java.io.IOException;

/**
 * A peer: owns zones, and keeps backups of the zones of others.
 *
 * <p>A peer lives in incarnations. If the superpeers have given up an incarnation, because the process was stopped or
 * cut off for longer than a lease, everything it holds is worthless; the peer drops it and joins anew. Thread-safe.
 */
public final class Peer implements AutoCloseable {
    private final NodeFolder folder;
    private final PeerLife life;

    private Peer(NodeFolder folder, PeerLife life) {
        this.folder = folder;
        this.life = life;
    }

    /**
     * Starts a peer: locks its folder, joins, and begins to send heartbeats. Waits while an earlier life of this folder
     * has not expired yet.
     *
     * @param config its configuration
     * @return the peer
     * @throws IOException if the folder is in use or damaged, the address cannot be listened at, or no superpeer
     *     accepts the node within a minute
     */
    public static Peer start(PeerConfig config) throws IOException {
        final NodeFolder folder = NodeFolder.open(config.platform(), config.folder());
        try {
            return new Peer(folder, PeerLife.begin(config, folder));
        } catch (IOException | RuntimeException | Error e) {
            folder.close();
            throw e;
        }
    }

    /** {@return this peer's current life} */
    public NodeRef node() {
        return life.node();
    }

    /** {@return whether the peer holds its lease now} */
    public boolean holdsLease() {
        return life.holdsLease();
    }

    /** Leaves the cluster, and ends: its zones are restored by others at once. Idempotent. */
    @Override
    public void close() throws IOException {
        life.leave();
        life.close();
        folder.close();
    }
}
