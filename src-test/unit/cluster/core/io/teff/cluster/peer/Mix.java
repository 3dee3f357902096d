package io.teff.cluster.peer;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What goes wrong in a simulated cluster, and what its clients do. */
enum Mix {
    /** Each seed draws its own faults, and each client its own pace. */
    DRAWN(Map.of(), null, 0, false),

    /** Each seed draws its own faults; clients do less than many of the drawn ones, as real parts cost more. */
    WHOLE(Map.of(), new Load(3, 30, 40, 6_000, 8, 12), 0, false),

    /** Machines of a cluster with real stores and logs lose their power. */
    WHOLE_POWER_CUTS(Map.of(SimFault.CUT_POWER_OF_ALL, 3, SimFault.CUT_POWER, 3, SimFault.KILL, 1),
        new Load(2, 25, 30, 6_000, 0, 0), 0, false),

    /** Owners that reach no backup are killed. Clients read fresh changes of other clients meanwhile. */
    READS(Map.of(SimFault.KILL_BEHIND_A_CUT, 4, SimFault.KILL, 1), new Load(1, 10, 60, 300, 0, 0), 0, false),

    /** Peers die while superpeers are stopped, which vote when they go on. */
    LATE_VOTES(Map.of(SimFault.KILL, 3, SimFault.PAUSE_SUPERPEER, 4), new Load(5, 10, 50, 6_000, 0, 0), 3, false),

    /** Owners die, and their backups cannot restore the zones, for now or at all. */
    HINDRANCES(Map.of(SimFault.KILL, 5, SimFault.REFUSED_READS, 2, SimFault.DAMAGE, 1, SimFault.NO_MEMORY, 2,
        SimFault.FULL_DISK, 1), new Load(5, 20, 40, 6_000, 0, 0), 0, false),

    /** Backups are lost and made anew while chunks are changed; then the owners die. */
    REFILLS(Map.of(SimFault.KILL, 4, SimFault.FULL_DISK, 1, SimFault.CUT_ONE_WAY, 1),
        new Load(5, 20, 30, 6_000, 0, 0), 0, true),

    /** Owners are cut off with changes that no backup has, and go on when others own their zones. */
    DEPOSED(Map.of(SimFault.SPLIT, 4, SimFault.PAUSE, 2), new Load(5, 5, 30, 6_000, 0, 0), 1, false),

    /** Whole clusters end, and start again, while zones lack backups. */
    COLD_STARTS(Map.of(SimFault.KILL_ALL, 4, SimFault.KILL, 2, SimFault.CUT_ONE_WAY, 1),
        new Load(5, 10, 40, 6_000, 5, 10), 0, false),

    /** Zones move to peers that have begun a new life, while these, or the owners, are cut off, stopped or killed. */
    MOVES(Map.of(SimFault.KILL, 4, SimFault.CUT_OFF, 2, SimFault.PAUSE, 1),
        new Load(8, 5, 50, 6_000, 10, 10), 1, false),

    /** Persons unload peers and move zones, while owners, heirs and new backups are killed, stopped and cut off. */
    UNLOADS(Map.of(SimFault.UNLOAD, 6, SimFault.KILL, 3, SimFault.CUT_OFF, 1, SimFault.PAUSE, 1, SimFault.FULL_DISK, 1,
        SimFault.NO_MEMORY, 1, SimFault.KILL_SUPERPEER, 1), new Load(6, 8, 40, 6_000, 10, 20), 0, true),

    /** Whole racks of peers end at once, once with their disks. There are as many racks as copies of a zone. */
    RACKS(Map.of(SimFault.KILL_RACK, 4, SimFault.CUT_ONE_WAY, 1, SimFault.KILL_SUPERPEER, 1),
        new Load(5, 10, 40, 6_000, 5, 10), 0, true),

    /** Two hundred peers, of which some are killed, stopped and cut off, and whole racks end. */
    LARGE(Map.of(SimFault.KILL, 6, SimFault.CUT_OFF, 1, SimFault.PAUSE, 1, SimFault.KILL_RACK, 1,
        SimFault.KILL_SUPERPEER, 1), new Load(12, 10, 40, 6_000, 5, 10), 3, true),

    /** Clients lock chunks of few zones, whose owners fail in every way. */
    LOCKS(Map.of(SimFault.KILL, 4, SimFault.PAUSE, 2, SimFault.SPLIT, 1, SimFault.CUT_OFF, 1, SimFault.CUT_ONE_WAY, 1,
        SimFault.KILL_ALL, 1), new Load(2, 10, 30, 6_000, 40, 10), 0, false),

    /** Clients change several chunks of few zones together, and owners die before their backups have everything. */
    GROUPS(Map.of(SimFault.KILL, 3, SimFault.KILL_BEHIND_A_CUT, 3, SimFault.PAUSE, 1, SimFault.KILL_ALL, 1),
        new Load(2, 10, 40, 6_000, 5, 50), 0, false),

    /** Machines lose their power, one by one or all at once. */
    POWER_CUTS(Map.of(SimFault.CUT_POWER_OF_ALL, 3, SimFault.CUT_POWER, 4, SimFault.KILL, 1, SimFault.KILL_ALL, 1),
        new Load(3, 8, 40, 6_000, 10, 20), 0, false),

    /** Splits overlap: two parts have nodes in common, or each node reaches some others; owners die meanwhile. */
    OVERLAPS(Map.of(SimFault.OVERLAP, 5, SimFault.KILL, 1, SimFault.PAUSE, 1), new Load(4, 8, 50, 6_000, 5, 5), 3,
        false),

    /** Disks refuse to sync, one by one or several at once, while owners die and do not reach their backups. */
    FAILED_SYNCS(Map.of(SimFault.FAIL_SYNC, 4, SimFault.FAIL_SYNC_OF_SOME, 3, SimFault.KILL, 2,
        SimFault.CUT_ONE_WAY, 1), new Load(3, 8, 40, 6_000, 5, 20), 0, false),

    /** Peers are killed in a row, faster than they start, and no disk is lost. */
    STORMS(Map.of(SimFault.STORM, 1), new Load(5, 10, 40, 6_000, 5, 10), 0, false),

    /** Superpeers are added and removed, while superpeers and peers are killed, stopped and cut off. */
    SUPERPEERS(Map.of(SimFault.CHANGE_SUPERPEERS, 8, SimFault.KILL, 2, SimFault.KILL_SUPERPEER, 2,
        SimFault.PAUSE_SUPERPEER, 2, SimFault.CUT_OFF, 1, SimFault.CUT_OFF_SUPERPEER, 1, SimFault.OVERLAP, 2,
        SimFault.SPLIT, 1, SimFault.PAUSE, 1), new Load(5, 10, 50, 6_000, 5, 5), 0, false),

    /** Clients of real stores use maps, and a queue, in each of few zones, whose owners fail in every way. */
    MAPS(Map.of(SimFault.KILL, 4, SimFault.KILL_BEHIND_A_CUT, 2, SimFault.PAUSE, 2, SimFault.SPLIT, 1,
        SimFault.CUT_ONE_WAY, 1, SimFault.KILL_ALL, 1), new Load(2, 10, 40, 6_000, 0, 0), 0, true),

    /** As {@link #MAPS}, and each client watches the maps that it uses. */
    WATCHES(Map.of(SimFault.KILL, 4, SimFault.KILL_BEHIND_A_CUT, 2, SimFault.PAUSE, 2, SimFault.SPLIT, 1,
        SimFault.CUT_ONE_WAY, 1, SimFault.KILL_ALL, 1), new Load(2, 10, 20, 6_000, 0, 0), 0, true),

    /** As {@link #MAPS}, and clients have near caches. */
    NEAR_CACHES(Map.of(SimFault.KILL, 4, SimFault.KILL_BEHIND_A_CUT, 2, SimFault.PAUSE, 2, SimFault.SPLIT, 1,
        SimFault.CUT_ONE_WAY, 1, SimFault.KILL_ALL, 1), new Load(2, 10, 70, 6_000, 0, 0), 0, true),

    /**
     * Clients of real stores use queues, lists, counters, batches of maps, and a map whose partitions are in several
     * zones, while owners fail in every way, disks are full, and zones move.
     */
    COLLECTIONS(Map.of(SimFault.KILL, 4, SimFault.KILL_BEHIND_A_CUT, 2, SimFault.PAUSE, 2, SimFault.SPLIT, 1,
        SimFault.CUT_ONE_WAY, 1, SimFault.CUT_OFF, 1, SimFault.FULL_DISK, 2, SimFault.KILL_ALL, 1),
        new Load(3, 12, 40, 6_000, 0, 0), 0, false),

    /**
     * Clients of real stores use a sorted map in ranges, and take the steps of splits of the ranges, while owners fail
     * in every way, and zones move.
     */
    RANGES(Map.of(SimFault.KILL, 4, SimFault.KILL_BEHIND_A_CUT, 2, SimFault.PAUSE, 2, SimFault.SPLIT, 1,
        SimFault.CUT_ONE_WAY, 1, SimFault.CUT_OFF, 1, SimFault.KILL_ALL, 1),
        new Load(3, 8, 40, 6_000, 0, 0), 0, false),

    /** Clients use names, locks, semaphores and counters of three superpeers, which fail in every way. */
    SERVICES(Map.of(SimFault.KILL_SUPERPEER, 4, SimFault.PAUSE_SUPERPEER, 3, SimFault.OVERLAP, 3, SimFault.SPLIT, 2,
        SimFault.CUT_OFF_SUPERPEER, 1, SimFault.KILL_ALL, 1, SimFault.KILL, 1),
        new Load(1, 60, 50, 6_000, 0, 0), 3, false),

    /** Nothing happens but that the only superpeer is stopped, cut off, or killed and started again. */
    STALLS(Map.of(SimFault.PAUSE_SUPERPEER, 4, SimFault.CUT_OFF_SUPERPEER, 3, SimFault.KILL_SUPERPEER, 1),
        new Load(5, 10, 50, 6_000, 0, 0), 1, false);

    private static final int WEIGHTS = 4;
    private static final int LARGE_PEERS = 200;
    private static final int LARGE_RACKS = 20;
    private static final int LARGE_WIDTH = 4;

    private final Map<SimFault, Integer> weights;
    private final @Nullable Load load;
    private final int superpeers;
    private final boolean isRefilled;

    /**
     * What a client does.
     *
     * @param zones how many zones it uses at most
     * @param thinkMs mean time between two operations of a thread
     * @param readPercent part of reads among its operations
     * @param callMs how long an operation is repeated
     * @param lockPercent part of the times in which a thread takes a lock
     * @param groupPercent part of groups of changes
     */
    record Load(int zones, int thinkMs, int readPercent, int callMs, int lockPercent, int groupPercent) {
        /** Part of reads of clients with a pace of their own. */
        static final int READ_PERCENT = 40;
        /** How long these repeat an operation. */
        static final int CALL_MS = 6_000;
    }

    Mix(Map<SimFault, Integer> weights, @Nullable Load load, int superpeers, boolean isRefilled) {
        this.weights = weights;
        this.load = load;
        this.superpeers = superpeers;
        this.isRefilled = isRefilled;
    }

    /** Returns each kind of fault as often as it should be drawn. */
    List<SimFault> faults(SplittableRandom random) {
        Map<SimFault, Integer> counts = new EnumMap<>(SimFault.class);
        for (SimFault fault : SimFault.values()) {              // some kinds may be absent
            boolean isChance = isDrawn() && fault != SimFault.CHANGE_SUPERPEERS && fault != SimFault.UNLOAD
                && fault != SimFault.KILL_RACK;
            counts.put(fault, isChance ? random.nextInt(WEIGHTS) : weights.getOrDefault(fault, 0));
        }
        counts.computeIfPresent(SimFault.STORM, (_, count) -> isDrawn() ? Math.min(count, 1) : count);
        counts.merge(SimFault.KILL, isDrawn() ? 1 : 0, Integer::sum);
        List<SimFault> faults = new ArrayList<>();
        counts.forEach((fault, count) -> {
            for (int i = 0; i < count; i++) {
                faults.add(fault);
            }
        });
        return faults;
    }

    private boolean isDrawn() {
        return this == DRAWN || this == WHOLE;
    }

    /** Returns whether peers fail: are killed, stopped or cut off. */
    boolean hasFailures() {
        return this != STALLS;
    }

    /** Returns the number of racks; 0 without racks. */
    int racks(int backups) {
        return this == RACKS ? backups + 1 : this == LARGE ? LARGE_RACKS : 0;
    }

    /** Returns the number of peers of a rack. */
    int peersOfARack() {
        return this == LARGE ? LARGE_PEERS / LARGE_RACKS : 2;
    }

    /** Returns with how many peers a peer shares zones; 0 for all peers. */
    int scatterWidth() {
        return this == LARGE ? LARGE_WIDTH : 0;
    }

    /** Returns whether clients use maps, and no chunks. */
    boolean hasMaps() {
        return this == MAPS || this == WATCHES || this == NEAR_CACHES;
    }

    /** Returns whether clients keep copies of the entries that they have read. */
    boolean hasNearCaches() {
        return this == NEAR_CACHES;
    }

    /** Returns whether clients watch the maps that they use. */
    boolean isWatched() {
        return this == WATCHES;
    }

    /** Returns whether clients use all kinds of collections, and no chunks. */
    boolean hasCollections() {
        return this == COLLECTIONS;
    }

    /** Returns whether clients use a sorted map in ranges, and nothing else. */
    boolean hasRanges() {
        return this == RANGES;
    }

    /** Returns whether clients use services, too. */
    boolean hasServices() {
        return this == SERVICES;
    }

    /** Returns what clients do; null if each draws it. */
    @Nullable Load load() {
        return load;
    }

    int superpeers(SplittableRandom random) {
        int drawn = random.nextBoolean() ? 1 : 3;
        return superpeers == 0 ? drawn : superpeers;
    }

    /** Returns whether a run ends only when all zones have all backups again, which takes long. */
    boolean isRefilled(SplittableRandom random) {
        return random.nextInt(4) == 0 || isRefilled;
    }
}
