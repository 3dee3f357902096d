package io.teff.cluster.forecast;

import io.teff.cluster.admin.ClusterForecast;
import io.teff.cluster.admin.ClusterForecast.Sizes;
import io.teff.cluster.consensus.ProposalCodec;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneSite;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.meta.ZoneWidth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The death of a peer of a cluster of any size. The machine of the metadata gives the zones, chooses the new owners and
 * the new backups; the simulation counts the bytes of each peer, and divides them by rates.
 *
 * <p><b>Recovery.</b> A new owner reads its copies from its own disk, and restores chunks at the same time: the slower
 * of both counts. The recovery ends with the new owner that has the most zones.
 *
 * <p><b>Copying.</b> An owner records a zone from memory and sends the records to the new backup, which writes them.
 * The copying ends with the peer that sends, receives or writes the most.
 *
 * <p><b>Losses.</b> A zone is lost for good if its owner and all backups are lost with their disks, and no new backup
 * was complete before. The machine says which groups of peers hold all copies of a zone. A group of k peers, each with
 * deaths at the rate r, meets such a chain of deaths at the rate k! r^k t^(k-1): each death but the first is within the
 * time t of recovery and copying. Deaths are independent; {@link Outage} has deaths that are not.
 *
 * <p>Used once.
 */
public final class DeathSimulation {
    /**
     * A peer wants so many open zones for each peer with which it shares zones, and at least the constant below: as
     * ZoneDemand does.
     */
    private static final int ZONES_PER_PEER = 2;
    private static final int ZONES_MIN = 8;
    private static final int ZONES_PER_REQUEST = 1_024;
    private static final long ZONE_BYTES_MAX = 256L << 20;
    /** Bytes of an entry of a log beside the chunk. */
    private static final int ENTRY_BYTES = 10;
    /** Bytes of memory beside the chunk. */
    private static final int CHUNK_BYTES = 9;
    private static final double HOURS_PER_YEAR = 8_766;
    private static final double SECONDS_PER_HOUR = 3_600;
    private static final int DRAWS = 2_000;
    private static final long SEED = 51;

    private final Sizes sizes;
    private final MetadataMachine machine;
    private final List<NodeRef> nodes = new ArrayList<>();
    private final int zonesPerPeer;

    /**
     * Makes the cluster.
     *
     * @param sizes the cluster
     */
    public DeathSimulation(Sizes sizes) {
        this.sizes = sizes;
        machine = new MetadataMachine(MachineState.initial(new MachineState.Settings(1, sizes.backups())));
        final long byBytes = Math.ceilDiv(sizes.chunks() * (sizes.chunkBytes() + CHUNK_BYTES), ZONE_BYTES_MAX);
        final int sharing = sizes.scatterWidth() == 0 ? sizes.peers() - 1
            : Math.min(sizes.scatterWidth(), sizes.peers() - 1);
        final long byPeers = Math.max(ZONES_MIN, (long) ZONES_PER_PEER * sharing);
        zonesPerPeer = Math.clamp(Math.max(byBytes, byPeers), 1, Math.max(1, ZoneRow.ZONE_MAX / sizes.peers()));
        machine.apply(new ZoneWidth(sizes.scatterWidth()));
        for (int i = 0; i < sizes.peers(); i++) {
            final Command.Join join = new Command.Join(new UUID(1, i), i, "", Roles.PEER);
            final CommandReply reply = machine.apply(new ZoneSite(join, sizes.racks() == 0 ? "" : "rack-" + rack(i)));
            if (!(reply instanceof CommandReply.Joined joined)) {
                throw new IllegalArgumentException("peer " + i + ": " + reply);
            }
            nodes.add(joined.node());
        }
        for (NodeRef node : nodes) {
            int request = 1;
            for (int left = zonesPerPeer; left > 0; left -= ZONES_PER_REQUEST) {
                machine.apply(new Command.NewZones(node, request++, Math.min(left, ZONES_PER_REQUEST)));
            }
        }
    }

    /** {@return what the death of a peer means} */
    public ClusterForecast play() {
        final Map<String, int[]> groups = groups();
        final double lossByRack = lossByRack(groups);
        final Map<String, int[]> random = randomGroups();
        final int zones = rows().size();
        final int tableBytes = ProposalCodec.snapshot(machine.state()).length;
        final NodeRef dead = nodes.get(nodes.size() / 2);
        machine.apply(new Command.Ended(dead));
        final Map<NodeRef, Integer> restored = restore();
        final int most = restored.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        final double zoneChunks = (double) sizes.chunks() / zonesPerPeer;
        final long zoneLogBytes = Math.round(zoneChunks * (sizes.chunkBytes() + ENTRY_BYTES));
        final double recoveryS = sizes.detectionS() + most * Math.max(zoneLogBytes / sizes.diskBytesPerS(),
            zoneChunks / sizes.restoredPerS());
        final Map<NodeRef, Integer> sent = new HashMap<>();
        final Map<NodeRef, Integer> received = new HashMap<>();
        final int copies = copy(sent, received);
        final double copyingS = zoneLogBytes * Math.max(most(sent) / sizes.netBytesPerS(),
            most(received) / Math.min(sizes.netBytesPerS(), sizes.diskBytesPerS()));
        final int lost = (int) Math.round(sizes.peers() * sizes.outagePart());
        return new ClusterForecast(sizes, zones, zoneLogBytes, restored.size(), most, recoveryS,
            copies * zoneLogBytes, copyingS,
            sizes.chunks() * (sizes.chunkBytes() + CHUNK_BYTES) + tableBytes,
            (long) sizes.backups() * zonesPerPeer * zoneLogBytes, groups.size(),
            lossPerYear(groups, recoveryS + copyingS),
            new Outage(sizes.peers(), groups.values()).lossPart(lost, DRAWS, new SplittableRandom(SEED)), random.size(),
            new Outage(sizes.peers(), random.values()).lossPart(lost, DRAWS, new SplittableRandom(SEED)), lossByRack);
    }

    private int rack(int peer) {
        return peer % sizes.racks();
    }

    /** Returns the groups of as many zones whose backups are drawn. */
    private Map<String, int[]> randomGroups() {
        final Map<String, int[]> groups = new TreeMap<>();
        final SplittableRandom random = new SplittableRandom(SEED);
        for (int zone = 0; zone < zonesPerPeer * sizes.peers(); zone++) {
            final Set<Integer> group = new TreeSet<>(Set.of(zone % sizes.peers()));
            while (group.size() <= sizes.backups()) {
                group.add(random.nextInt(sizes.peers()));
            }
            final int[] sorted = group.stream().mapToInt(Integer::intValue).toArray();
            groups.put(Arrays.toString(sorted), sorted);
        }
        return groups;
    }

    /** Returns in how many racks of all a zone has all of its copies. */
    private double lossByRack(Map<String, int[]> groups) {
        if (sizes.racks() == 0) {
            return 0;
        }
        final Set<Integer> losing = new TreeSet<>();
        for (int[] group : groups.values()) {
            if (Arrays.stream(group).map(this::rack).distinct().count() == 1) {
                losing.add(rack(group[0]));
            }
        }
        return (double) losing.size() / sizes.racks();
    }

    private List<ZoneRow> rows() {
        return machine.zonesSince(-1);
    }

    /** Returns the groups of peers that hold all copies of a zone, without repetition. */
    private Map<String, int[]> groups() {
        final Map<String, int[]> groups = new TreeMap<>();
        for (ZoneRow row : rows()) {
            final List<NodeRef> all = new ArrayList<>(row.backups().stream().map(Backup::node).toList());
            if (row.owner() != null) {
                all.add(row.owner());
            }
            final int[] group = all.stream().mapToInt(node -> node.nid() - MetadataMachine.NID_FIRST).sorted()
                .toArray();
            groups.put(Arrays.toString(group), group);
        }
        return groups;
    }

    /** Restores the zones without an owner; returns how many each new owner restores. */
    private Map<NodeRef, Integer> restore() {
        final Map<NodeRef, Integer> restored = new HashMap<>();
        for (ZoneRow row : rows()) {
            if (row.state() != ZoneState.FENCING) {
                continue;
            }
            row.backups().forEach(backup -> machine.apply(new Command.Fenced(row.zone(), row.epoch(), backup.node(),
                1)));
            final ZoneRow chosen = row(row.zone());
            final NodeRef owner = chosen.owner();
            if (owner != null) {
                restored.merge(owner, 1, Integer::sum);
                machine.apply(new Command.Owned(row.zone(), chosen.epoch(), owner));
            }
        }
        return restored;
    }

    /** Gives zones new backups; returns the number of copies. */
    private int copy(Map<NodeRef, Integer> sent, Map<NodeRef, Integer> received) {
        int copies = 0;
        for (ZoneRow before : rows()) {
            final NodeRef owner = before.owner();
            ZoneRow row = before;
            while (owner != null && row.backups().size() < sizes.backups()
                && machine.apply(new Command.AddBackup(row.zone(), row.epoch())) instanceof CommandReply.Done) {
                final ZoneRow learning = row(row.zone());
                final NodeRef learner = learning.learners().getFirst().node();
                sent.merge(owner, 1, Integer::sum);
                received.merge(learner, 1, Integer::sum);
                machine.apply(new Command.Learned(row.zone(), learning.epoch(), learner));
                row = row(row.zone());
                copies++;
            }
        }
        return copies;
    }

    private ZoneRow row(int zone) {
        return Objects.requireNonNull(machine.zone(zone));
    }

    private static double most(Map<NodeRef, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    private double lossPerYear(Map<String, int[]> groups, double seconds) {
        final int members = sizes.backups() + 1;
        final double perHour = 1 / sizes.mtbfHours();
        double rate = groups.size() * HOURS_PER_YEAR;
        for (int i = 1; i <= members; i++) {
            rate *= i * perHour;
        }
        rate *= Math.pow(seconds / SECONDS_PER_HOUR, members - 1.0);
        return -Math.expm1(-rate);
    }
}
