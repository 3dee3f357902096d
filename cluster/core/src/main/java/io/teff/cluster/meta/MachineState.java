package io.teff.cluster.meta;

import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.registry.RegistryState;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The whole state of a {@link MetadataMachine}: the content of its snapshots.
 *
 * @param settings the cluster's settings, fixed at the first start of the cluster
 * @param version version of the tables: number of changes ever made
 * @param nextZone the next zone to give
 * @param nodes rows of all nodes, in the order of NIDs
 * @param zones rows of all zones, in the order of ids
 * @param votes open votes, in the order of the nodes
 * @param lives the current life of each number of a superpeer, or 0
 * @param sessionsVersion version of the tables in which a client session was last opened or ended
 * @param lastSession number of the last opened session, or 0
 * @param sessions the open sessions, in the order of numbers
 * @param rebuilding progress of a rebuild from the folders of peers; null if the metadata were never rebuilt
 * @param nextNid the lowest NID for a new peer; 0 if no NIDs are skipped
 * @param cluster the identity of the cluster; unknown until the cluster is founded
 * @param superpeers the set of superpeers, with the version of its last change
 * @param registry names and queues of services
 */
public record MachineState(Settings settings, long version, int nextZone, List<NodeRow> nodes, List<ZoneRow> zones,
                           List<Ballot> votes, List<Long> lives, long sessionsVersion, int lastSession,
                           List<OpenSession> sessions, @Nullable Rebuilding rebuilding,
                           int nextNid, ClusterId cluster, SuperpeerSet superpeers, RegistryState registry) {
    /**
     * Settings of a cluster. All superpeers must have equal settings.
     *
     * @param superpeers number of the first superpeers, from 1 to {@link #SUPERPEERS_MAX}
     * @param backups backups of each zone
     * @param scatterWidth number of peers with which a peer shares zones, about; 0 for all peers. Command {@link
     *     ZoneWidth} sets the width
     */
    public record Settings(int superpeers, int backups, int scatterWidth) {
        /** Most superpeers of a cluster: with more, each command waits for more disks, and no more failures matter. */
        public static final int SUPERPEERS_MAX = 5;

        /** Checks the number of superpeers. */
        public Settings {
            if (superpeers < 1 || superpeers > SUPERPEERS_MAX) {
                throw new IllegalArgumentException("superpeers=" + superpeers + " is not in 1 to " + SUPERPEERS_MAX);
            }
        }

        /** Makes settings in which a peer shares zones with all peers. */
        public Settings(int superpeers, int backups) {
            this(superpeers, backups, 0);
        }

        /** Returns the settings with another scatter width. */
        Settings with(int width) {
            return new Settings(superpeers, backups, width);
        }
    }

    /**
     * The votes against one life of a node.
     *
     * @param node the life against which superpeers vote
     * @param superpeers one bit for each superpeer with a vote
     */
    public record Ballot(NodeRef node, int superpeers) {}

    /**
     * An open session of a client.
     *
     * @param session number of the session
     * @param key random key with which the client opened the session
     */
    public record OpenSession(int session, long key) {}

    /**
     * A rebuild of the metadata.
     *
     * @param key random number of the rebuild
     * @param done number of taken parts
     * @param parts all parts
     */
    public record Rebuilding(long key, int done, int parts) {
        /** {@return whether parts are missing} */
        boolean isOpen() {
            return done < parts;
        }
    }

    /** Makes the state of a machine without a rebuild. */
    public MachineState(Settings settings, long version, int nextZone, List<NodeRow> nodes, List<ZoneRow> zones,
                        List<Ballot> votes, List<Long> lives, long sessionsVersion, int lastSession,
                        List<OpenSession> sessions) {
        this(settings, version, nextZone, nodes, zones, votes, lives, sessionsVersion, lastSession, sessions, null, 0,
            ClusterId.NONE, SuperpeerSet.of(settings.superpeers()), RegistryState.EMPTY);
    }

    /** Copies the lists. */
    public MachineState {
        nodes = List.copyOf(nodes);
        zones = List.copyOf(zones);
        votes = List.copyOf(votes);
        lives = List.copyOf(lives);
        sessions = List.copyOf(sessions);
        cluster = Objects.requireNonNullElse(cluster, ClusterId.NONE);  // in snapshots of earlier versions
        superpeers = Objects.requireNonNullElse(superpeers, SuperpeerSet.of(settings.superpeers()));
        registry = Objects.requireNonNullElse(registry, RegistryState.EMPTY);
    }

    /**
     * {@return the state of a new cluster} The width of the settings does not count before the log has {@link
     * ZoneWidth}: a superpeer that reads the log of a version without the command must find the state of that version.
     *
     * @param settings of the new cluster
     */
    public static MachineState initial(Settings settings) {
        return new MachineState(settings.with(0), 0, 1, List.of(), List.of(), List.of(),
            Collections.nCopies(settings.superpeers(), 0L), 0, 0, List.of());
    }
}
