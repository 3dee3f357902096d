package io.teff.cluster.admin;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The status of a cluster at a moment: the tables of the superpeers, and the statuses of the nodes. Immutable.
 *
 * @param id id of the cluster, 32 hexadecimal digits; empty if no superpeer has ever answered
 * @param name name of the cluster; empty for none
 * @param superpeers addresses of the superpeers that count, in the order of their numbers
 * @param problem why no superpeer has answered; null after an answer. With a problem, the tables are the last known
 *     tables
 * @param version version of the tables; 0 without tables
 * @param nodes the superpeers in their order, then the peers of the tables by NID, also expired peers
 * @param zones all zones, by their ids
 */
public record ClusterStatus(String id, String name, List<String> superpeers, @Nullable String problem, long version,
                            List<Member> nodes, List<ZoneStatus> zones) {
    /**
     * A node of a cluster.
     *
     * @param role role of the node
     * @param life current or last life of the node
     * @param isAlive whether the life counts; for a superpeer, whether the superpeer counts in majorities. A superpeer
     *     that is being added does not count yet, and a superpeer that is being removed does not count any more
     * @param address listening address, such as {@code tcp:10.0.0.1:7410}
     * @param status status of the node; null if the node was not asked, or has not answered
     * @param rack name of the rack of a peer; empty for a rack of its own
     */
    public record Member(NodeRole role, NodeLife life, boolean isAlive, String address,
                         @Nullable NodeStatus status, String rack) {
        /**
         * Makes a node without the name of a rack.
         *
         * @param role as the component
         * @param life as the component
         * @param isAlive as the component
         * @param address as the component
         * @param status as the component
         */
        public Member(NodeRole role, NodeLife life, boolean isAlive, String address, @Nullable NodeStatus status) {
            this(role, life, isAlive, address, status, "");
        }
    }

    /** Most zones of a cluster, over all its life. */
    public static final int ZONES_MAX = 65_533;

    private static final int ZONES_LOW_PERCENT = 90;
    private static final int HUNDRED = 100;

    /** Copies the lists. */
    public ClusterStatus {
        superpeers = List.copyOf(superpeers);
        nodes = List.copyOf(nodes);
        zones = List.copyOf(zones);
    }

    /** {@return how many numbers of zones are given: a number is never given again} */
    public int zonesGiven() {
        return zones.isEmpty() ? 0 : zones.getLast().zone();
    }

    /** {@return whether more than nine tenths of the numbers of zones are given} */
    public boolean isNearEndOfZones() {
        return zonesGiven() * (long) HUNDRED > ZONES_MAX * (long) ZONES_LOW_PERCENT;
    }

    /** {@return whether a superpeer has answered} */
    public boolean isAnswering() {
        return problem == null;
    }

    /**
     * {@return the node with a NID, or null}
     *
     * @param nid any number
     */
    public @Nullable Member node(int nid) {
        return nodes.stream().filter(node -> node.life().nid() == nid).findFirst().orElse(null);
    }

    /**
     * {@return the zone with an id, or null}
     *
     * @param zone any number
     */
    public @Nullable ZoneStatus zone(int zone) {
        return zones.stream().filter(row -> row.zone() == zone).findFirst().orElse(null);
    }

    /**
     * {@return whether a life of a node counts, by the tables}
     *
     * @param life the life in question, current or earlier
     */
    public boolean isAlive(NodeLife life) {
        Member member = node(life.nid());
        return member != null && member.isAlive() && member.life().equals(life);
    }

    /**
     * State of the zones of a cluster before a node ends. A later state lacks something against this state.
     *
     * @param backups number of backups of each served zone
     */
    public record RollState(Map<Integer, Integer> backups) {
        /** Copies the map. */
        public RollState {
            backups = Map.copyOf(backups);
        }

        /**
         * {@return what the zones of a status have}
         *
         * @param status the status before
         */
        public static RollState of(ClusterStatus status) {
            Map<Integer, Integer> backups = new LinkedHashMap<>();
            status.zones().stream().filter(zone -> zone.state().isServed())
                .forEach(zone -> backups.put(zone.zone(), zone.backups().size()));
            return new RollState(backups);
        }

        /**
         * {@return what a later state lacks, for people; empty if nothing is lacking}
         *
         * @param status the later state
         * @param isBacked whether backups count
         * @param lives the present lives of peers
         */
        public String lack(ClusterStatus status, boolean isBacked, List<NodeLife> lives) {
            int unserved = 0;
            int few = 0;
            for (Map.Entry<Integer, Integer> each : backups.entrySet()) {
                ZoneStatus zone = status.zone(each.getKey());
                if (zone == null || !zone.state().isServed() || !lives.contains(zone.owner())) {
                    unserved++;
                } else if (isBacked && zone.backups().stream().filter(copy -> lives.contains(copy.node())).count()
                    < Math.min(each.getValue(), lives.size() - 1)) {
                    few++;
                }
            }
            return unserved + few == 0 ? "" : unserved + " zones are not served, and " + few
                + " lack a backup";
        }
    }
}
