package io.teff.cluster.terminal.demo;

import io.teff.cluster.cell.Tables;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
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
    private final NodeRef killed;
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
     * @param killed the killed incarnation of a node
     * @param tables the tables before the kill
     * @param nowNs time of the kill
     */
    Timeline(NodeRef killed, Tables tables, long nowNs) {
        this.killed = killed;
        killedNs = nowNs;
        for (ZoneRow row : tables.zones()) {
            if (row.isOwnedBy(killed)) {
                zones.add(row.zone());
            }
            if (row.isOwnedBy(killed) || row.hasBackup(killed)) {
                backups.put(row.zone(), row.backups().size());
            }
        }
    }

    /** Looks at the tables. */
    void look(Tables tables, long nowNs) {
        long after = nowNs - killedNs;
        if (detectedNs < 0 && !tables.isAlive(killed)) {
            detectedNs = after;
        }
        int fencing = 0;
        int now = 0;
        for (int zone : zones) {
            ZoneRow row = tables.zone(zone);
            if (row == null || row.isOwnedBy(killed) || row.state() == ZoneState.FENCING) {
                fencing++;
            } else if (row.state().isServed()) {
                now++;
            }
        }
        served = now;
        fencedNs = fencedNs < 0 && detectedNs >= 0 && fencing == 0 ? after : fencedNs;
        firstNs = firstNs < 0 && now > 0 ? after : firstNs;
        lastNs = lastNs < 0 && detectedNs >= 0 && now == zones.size() ? after : lastNs;
        refilled = refilled(tables);
        refilledNs = refilledNs < 0 && lastNs >= 0 && refilled == backups.size() ? after : refilledNs;
    }

    private int refilled(Tables tables) {
        int count = 0;
        for (Map.Entry<Integer, Integer> before : backups.entrySet()) {
            ZoneRow row = tables.zone(before.getKey());
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
