package io.teff.cluster.superpeer;

import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides when a recovery goes on without backups that are slow to report: a while after the leading superpeer first
 * saw that enough have reported. Nodes that come back after the end of a whole cluster start one after
 * the other, so zones that wait for them have more patience: with a copy that comes back, the zone has its backup at
 * once. Pure: the caller passes the time, in which that of a stop of its process must not count: reports have waited
 * meanwhile. Not thread-safe.
 */
final class Hedging {
    private static final int RETURN_PATIENCE = 25;

    private final long patienceNs;
    private final Map<Integer, Seen> seen = new HashMap<>();

    private record Seen(int epoch, long sinceNs) {}

    Hedging(long patienceNs) {
        this.patienceNs = patienceNs;
    }

    /** Returns the zones whose recovery goes on now. */
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
