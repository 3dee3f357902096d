package io.teff.cluster.superpeer;

import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides when a recovery continues without backups that are slow to report: a while after the leading superpeer first
 * saw enough reports. Nodes that return after the end of a whole cluster start one after the other, so waiting zones
 * have more patience: with a returned copy, the zone has a backup at once. Pure: the caller passes the time, and a stop
 * of the caller's process must not count in this time: reports have waited meanwhile. Not thread-safe.
 */
final class Hedging {
    private static final int RETURN_PATIENCE = 25;

    private final long patienceNs;
    private final Map<Integer, Seen> seen = new HashMap<>();

    private record Seen(int epoch, long sinceNs) {}

    Hedging(long patienceNs) {
        this.patienceNs = patienceNs;
    }

    /** Returns the zones whose recovery continues now. */
    List<ZoneRow> due(List<ZoneRow> zones, long nowNs) {
        List<ZoneRow> due = new ArrayList<>();
        Map<Integer, Seen> kept = new HashMap<>();
        for (ZoneRow row : zones) {
            if (row.canGoOn()) {
                Seen known = seen.get(row.zone());
                Seen now = known != null && known.epoch() == row.epoch() ? known : new Seen(row.epoch(), nowNs);
                kept.put(row.zone(), now);
                final long limitNs = row.state() == ZoneState.WAITING ? RETURN_PATIENCE * patienceNs : patienceNs;
                if (nowNs - now.sinceNs() >= limitNs) {
                    due.add(row);
                }
            }
        }
        seen.clear();
        seen.putAll(kept);
        return due;
    }
}
