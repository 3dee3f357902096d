package io.teff.cluster.admin;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * New metadata for a cluster whose superpeers have lost the metadata, made from the folders of the peers. No node of
 * the cluster may run while the folders are read. The steps of a rebuild:
 * <ol>
 * <li>{@link #plan} reads the folders; a person decides about {@link #zones} and {@link #missing}.
 * <li>The caller sets the folders of all superpeers aside, and calls {@link #begin} for each superpeer.
 * <li>The caller starts all superpeers, and calls {@link #send}.
 * <li>The caller ends all superpeers, and calls {@link #end} for each superpeer.
 * </ol>
 * After a failure, a rebuild begins with a new plan. Not thread-safe.
 */
public interface ClusterRebuild {
    /** The future of a zone. */
    enum Outlook {
        /** All copies that count were found: the zone is served when the peers with these copies have started. */
        SERVED,
        /** Copies that may count were not found: the zone waits for the missing copies. */
        WAITING,
        /** A possibly incomplete copy has later changes than the copies that count: the zone waits for a person. */
        DOUBTFUL,
        /** The zone has too few epochs left: the copies are kept, and the zone is not served any more. */
        USED_UP,
        /** No copy of the zone can be used. */
        LOST
    }

    /**
     * The folder of a peer.
     *
     * @param name name of the peer
     * @param copies number of copies of zones in the peer's log
     * @param tableVersion version of the tables kept by the peer; null without tables
     * @param unread why the folder could not be read, for people; null for a read folder
     */
    record Folder(String name, int copies, @Nullable Long tableVersion, @Nullable String unread) {}

    /**
     * A zone of the new metadata.
     *
     * @param row the zone's configuration in the new metadata
     * @param outlook future of the zone
     * @param isLater whether copies have changes of a later epoch than all found tables
     */
    record Zone(ZoneStatus row, Outlook outlook, boolean isLater) {}

    /**
     * A peer of the new metadata.
     *
     * @param nid id of the node
     * @param address listening address; empty if no table names the address
     */
    record Peer(int nid, String address) {}

    /**
     * Reads the folders of peers. Folders without a log are left out. An unreadable folder counts as a lost disk: zones
     * wait for the folder.
     *
     * @param peers settings of all peers of the cluster
     * @param backups wanted backups of each zone, from 1 to 4
     * @return the plan
     * @throws IOException if a process uses a folder, or the metadata of a folder cannot be read
     */
    static ClusterRebuild plan(List<NodeSettings> peers, int backups) throws IOException {
        return AdminProvider.load().plan(peers, backups);
    }

    /** {@return the folders with a log, in the order of the peers} */
    List<Folder> folders();

    /** {@return why the folders cannot be the peers of one cluster, in sentences; empty if nothing is in the way} */
    List<String> obstacles();

    /** {@return the peers of the new metadata, by NID} */
    List<Peer> peers();

    /** {@return the peers of the old tables without a found folder, by NID} */
    List<Peer> missing();

    /** {@return the zones of the new metadata, by their ids} */
    List<Zone> zones();

    /**
     * Prepares the empty folder of a superpeer: the started superpeer answers no node or client until the metadata have
     * arrived.
     *
     * @param superpeer settings of a stopped superpeer
     * @throws IOException if the folder cannot be written
     */
    void begin(NodeSettings superpeer) throws IOException;

    /**
     * Gives the new metadata to the started superpeers, and waits until a superpeer has all metadata.
     *
     * @param superpeer settings of any superpeer
     * @param patienceNs longest time until each part of the metadata is taken, in nanoseconds
     * @return why the metadata were not taken, in a sentence; null after success
     * @throws IOException if this process cannot open a network
     * @throws IllegalStateException if there are {@link #obstacles}
     */
    @Nullable String send(NodeSettings superpeer, long patienceNs) throws IOException;

    /**
     * Ends the preparation of {@link #begin} after the metadata have arrived.
     *
     * @param superpeer settings of a stopped superpeer
     * @throws IOException if the folder cannot be written
     */
    void end(NodeSettings superpeer) throws IOException;
}
