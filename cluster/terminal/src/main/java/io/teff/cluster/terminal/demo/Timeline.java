package io.teff.cluster.terminal.demo;

import io.teff.cluster.cell.Tables;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the tables show after a kill, in nanoseconds after it; -1 for what has not happened yet. Not thread-safe.
 */
final class Timeline {
    private final long killedNs;
    private final NodeRef killed;
    private final Set<Integer> zones = new HashSet<>();
    private long detectedNs = -1;
    private long fencedNs = -1;
    private long firstNs = -1;
    private long lastNs = -1;
    private int served;

    /**
     * Begins at a kill.
     *
     * @param killed the life that is killed
     * @param tables the tables before
     * @param nowNs time of the kill
     */
    Timeline(NodeRef killed, Tables tables, long nowNs) {
        this.killed = killed;
        killedNs = nowNs;
        tables.zones().stream().filter(row -> row.isOwnedBy(killed)).forEach(row -> zones.add(row.zone()));
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
    }

    boolean isOver() {
        return lastNs >= 0;
    }

    int zones() {
        return zones.size();
    }

    int served() {
        return served;
    }

    /** A step, and when it was seen. */
    record Step(String name, long ns) {}

    /** {@return the steps, in their order} */
    List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        steps.add(new Step("detected", detectedNs));
        steps.add(new Step("fenced", fencedNs));
        steps.add(new Step("first zone served", firstNs));
        steps.add(new Step("last zone served", lastNs));
        return steps;
    }
}
