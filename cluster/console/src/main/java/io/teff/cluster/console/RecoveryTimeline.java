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

    private final ArrayDeque<Change> changes = new ArrayDeque<>();
    private long last;

    /**
     * A change.
     *
     * @param number of the change, from 1
     * @param atMs when the console saw the change, in milliseconds since 1970
     * @param event the change
     */
    record Change(long number, long atMs, ClusterEvent event) {
        Map<String, Object> json() {
            Map<String, Object> json = new LinkedHashMap<>();
            NodeLife node = event.node();
            json.put("number", number);
            json.put("atMs", atMs);
            json.put("kind", event.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'));
            json.put("nid", node == null ? 0 : node.nid());
            json.put("zone", event.zone());
            json.put("text", event.text());
            return json;
        }
    }

    synchronized Change add(long atMs, ClusterEvent event) {
        Change change = new Change(++last, atMs, event);
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
