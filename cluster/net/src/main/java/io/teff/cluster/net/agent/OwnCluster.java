package io.teff.cluster.net.agent;

import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.wire.RefusedException;

/**
 * The identity of a network's cluster: known from the beginning, or learned once. Thread-safe; shared by the agents of
 * a network.
 */
public final class OwnCluster {
    private final boolean isAdopting;
    private volatile ClusterId id;

    /**
     * Begins with an identity.
     *
     * @param id the identity, perhaps unknown
     * @param isAdopting whether an unknown identity is taken from the first called node
     */
    public OwnCluster(ClusterId id, boolean isAdopting) {
        this.id = id;
        this.isAdopting = isAdopting;
    }

    /** {@return the identity of now} */
    public ClusterId id() {
        return id;
    }

    /** {@return whether an unknown identity is taken from a called node} */
    boolean isAdopting() {
        return isAdopting && !id.isKnown();
    }

    /**
     * Learns the identity.
     *
     * @param known the identity
     * @return whether the identity was unknown until now; false if this is the identity of before
     * @throws RefusedException if the network belongs to another cluster, or expects another name
     */
    synchronized boolean learn(ClusterId known) throws RefusedException {
        if (!id.fits(known)) {
            throw RefusedException.ofCluster(known, id);
        }
        final boolean isNew = !id.isKnown();
        id = isNew ? known : id;
        return isNew;
    }
}
