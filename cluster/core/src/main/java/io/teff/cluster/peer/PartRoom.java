package io.teff.cluster.peer;

import io.teff.cluster.collect.ServedMaps;
import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.peer.event.PartFillsEvent;
import io.teff.engine.os.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Warns before a part of a collection outgrows its zone: a partition of a hash map, a part of a sorted map, a queue or
 * a list lies whole in one zone, and a zone moves and recovers as a whole. The warning comes when the part has four
 * fifths of the size of a zone, again with each further fifth, and ends when the part has less. Nothing is refused
 * because of the size of a part: a peer without memory refuses, and other parts go on. For the thread that acts on the
 * tables; other threads may read the sentences.
 */
final class PartRoom {
    /** Share of the size of a zone at which a part is reported, in fifths. */
    static final int WARNED_FIFTHS = 4;
    private static final int FIFTHS = 5;

    private final int nid;
    private final long zoneBytes;
    private final NodeLog log;
    /** Fifths of the size of a zone at the last warning, by zone and name. */
    private Map<String, Long> warned = new TreeMap<>();
    private Map<String, Long> next = new TreeMap<>();
    private List<String> found = new ArrayList<>();
    private volatile List<String> problems = List.of();

    /**
     * Begins without a warning.
     *
     * @param nid this node
     * @param zoneBytes size of a zone
     * @param log takes the warnings
     */
    PartRoom(int nid, long zoneBytes, NodeLog log) {
        this.nid = nid;
        this.zoneBytes = zoneBytes;
        this.log = log;
    }

    /** Looks at the open collections of a served zone. */
    void look(int zone, ServedMaps maps) {
        maps.sizes((part, bytes) -> {
            final long fifths = bytes / Math.max(zoneBytes / FIFTHS, 1);
            if (fifths >= WARNED_FIFTHS) {
                warn(zone, part, bytes, fifths);
            }
            return fifths >= WARNED_FIFTHS;
        });
    }

    private void warn(int zone, String part, long bytes, long fifths) {
        final String text = "part '" + part + "' in zone " + zone + " has " + Units.bytes(bytes) + ", and a zone is"
            + " full with " + Units.bytes(zoneBytes) + ": clients that change a sorted map split the part; copy another"
            + " collection to one with more partitions";
        found.add(text);
        final String key = zone + " " + part;
        final long before = warned.getOrDefault(key, 0L);
        next.put(key, Math.max(before, fifths));
        if (fifths > before) {
            log.log(NodeEvent.PART_FILLS, text);
            PartFillsEvent.emit(nid, zone, part, bytes, zoneBytes);
        }
    }

    /** Ends a look at all zones. */
    void looked() {
        warned = next;
        next = new TreeMap<>();
        problems = List.copyOf(found);
        found = new ArrayList<>();
    }

    /** Returns a sentence for each part that fills its zone. */
    List<String> problems() {
        return problems;
    }
}
