package io.teff.cluster.console;

import io.teff.cluster.admin.ClusterEvent;
import io.teff.cluster.admin.NodeLife;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The last changes of the cluster, in memory. Thread-safe. */
final class RecoveryTimeline {
    static final int CHANGES_MAX = 500;
    /** Kind of a step of a roll. */
    static final String ROLL = "roll";

    private final ArrayDeque<Change> changes = new ArrayDeque<>();
    private long last;

    /**
     * A change.
     *
     * @param number of the change, from 1
     * @param atMs when the console saw the change, in milliseconds since 1970
     * @param kind kind of the event, or {@link #ROLL}
     * @param nid the node; 0 for none
     * @param zone the zone; 0 for none
     * @param text the change, for people
     */
    record Change(long number, long atMs, String kind, int nid, int zone, String text) {
        Map<String, Object> json() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("number", number);
            json.put("atMs", atMs);
            json.put("kind", kind);
            json.put("nid", nid);
            json.put("zone", zone);
            json.put("text", text);
            return json;
        }
    }

    Change add(long atMs, ClusterEvent event) {
        NodeLife node = event.node();
        return add(atMs, event.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'), node == null ? 0 : node.nid(),
            event.zone(), event.text());
    }

    /** Adds a step of a roll. */
    Change addStep(long atMs, int nid, String text) {
        return add(atMs, ROLL, nid, 0, text);
    }

    private synchronized Change add(long atMs, String kind, int nid, int zone, String text) {
        Change change = new Change(++last, atMs, kind, nid, zone, text);
        changes.addLast(change);
        if (changes.size() > CHANGES_MAX) {
            changes.removeFirst();
        }
        return change;
    }

    synchronized List<Change> all() {
        return List.copyOf(changes);
    }
}
