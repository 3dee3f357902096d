package io.teff.cluster.terminal.demo;

import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.ZoneStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The steps of a recovery as seen in the tables, in nanoseconds after the kill; -1 for a step not seen yet. Not
 * thread-safe.
 */
final class Timeline {
    private final long killedNs;
    private final NodeLife killed;
    private final Set<Integer> zones = new HashSet<>();
    /** Number of backups before the kill, for each zone that has lost its owner or a backup. */
    private final Map<Integer, Integer> backups = new HashMap<>();
    private long detectedNs = -1;
    private long fencedNs = -1;
    private long firstNs = -1;
    private long lastNs = -1;
    private long refilledNs = -1;
    private int served;
    private int refilled;

    /**
     * Begins at a kill.
     *
     * @param killed the killed life of a node
     * @param status the status before the kill
     * @param nowNs time of the kill
     */
    Timeline(NodeLife killed, ClusterStatus status, long nowNs) {
        this.killed = killed;
        killedNs = nowNs;
        for (ZoneStatus row : status.zones()) {
            if (row.isOwnedBy(killed)) {
                zones.add(row.zone());
            }
            if (row.isOwnedBy(killed) || row.hasBackup(killed)) {
                backups.put(row.zone(), row.backups().size());
            }
        }
    }

    /** Looks at the tables. */
    void look(ClusterStatus status, long nowNs) {
        long after = nowNs - killedNs;
        if (detectedNs < 0 && !status.isAlive(killed)) {
            detectedNs = after;
        }
        int fencing = 0;
        int now = 0;
        for (int zone : zones) {
            ZoneStatus row = status.zone(zone);
            if (row == null || row.isOwnedBy(killed) || row.state() == ZoneStatus.State.FENCING) {
                fencing++;
            } else if (row.state().isServed()) {
                now++;
            }
        }
        served = now;
        fencedNs = fencedNs < 0 && detectedNs >= 0 && fencing == 0 ? after : fencedNs;
        firstNs = firstNs < 0 && now > 0 ? after : firstNs;
        lastNs = lastNs < 0 && detectedNs >= 0 && now == zones.size() ? after : lastNs;
        refilled = refilled(status);
        refilledNs = refilledNs < 0 && lastNs >= 0 && refilled == backups.size() ? after : refilledNs;
    }

    private int refilled(ClusterStatus status) {
        int count = 0;
        for (Map.Entry<Integer, Integer> before : backups.entrySet()) {
            ZoneStatus row = status.zone(before.getKey());
            count += row != null && row.state().isServed() && !row.isOwnedBy(killed) && !row.hasBackup(killed)
                && row.backups().size() >= before.getValue() ? 1 : 0;
        }
        return count;
    }

    /** Returns whether all zones of the killed node are served again. */
    boolean isServed() {
        return lastNs >= 0;
    }

    /** Returns whether all zones have as many backups as before, too. */
    boolean isRefilled() {
        return refilledNs >= 0;
    }

    /** Returns the number of zones with as many backups as before the kill. */
    int refilled() {
        return refilled;
    }

    /** Returns the number of zones that lost their owner or a backup by the kill. */
    int hurt() {
        return backups.size();
    }

    int zones() {
        return zones.size();
    }

    int served() {
        return served;
    }

    /** A step, and the time of the first look that showed the step. */
    record Step(String name, long ns) {}

    /** {@return the steps, in their order} */
    List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        steps.add(new Step("detected", detectedNs));
        steps.add(new Step("fenced", fencedNs));
        steps.add(new Step("first zone served", firstNs));
        steps.add(new Step("last zone served", lastNs));
        steps.add(new Step("refilled", refilledNs));
        return steps;
    }
}
