package io.teff.cluster.client;

import io.teff.cluster.MapRanges;
import io.teff.cluster.meta.NodeRef;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The row of a sorted map in the directory. The row has the bounds of all parts but those of unfinished splits. A
 * client that knows no bounds begins with the row; the owners of parts know more. Thread-safe.
 */
final class RangeRows {
    /** Longest row with which another part begins; an entry of the directory has room for twice as many bytes. */
    private static final int ROW_BYTES_MAX = 400_000;

    private final RemoteDirectory directory;
    private final ClusterClient client;
    private final String name;
    private volatile CollectionRow row;

    RangeRows(RemoteDirectory directory, ClusterClient client, String name, CollectionRow row) {
        this.directory = directory;
        this.client = client;
        this.name = name;
        this.row = row;
    }

    /** Returns the row that was read last. */
    CollectionRow known() {
        return row;
    }

    /** Reads the row. */
    CollectionRow read() {
        row = directory.current(name, row);
        return row;
    }

    /** Returns the calls of a part with an index. */
    CollectionCalls calls(CollectionCalls any, int index) {
        final CollectionRow now = row;
        return any.at(now.zones()[index], now.collection(name, index));
    }

    /** Returns the parts that have bounds, in their order of the row. */
    List<RangeTable.Range> bounds(CollectionCalls first) {
        final List<RangeTable.Range> all = new ArrayList<>();
        all.add(new RangeTable.Range(null, first));
        final List<PartRow> parts = row.parts();
        for (int i = 1; i < parts.size(); i++) {
            if (parts.get(i).hasBound()) {
                all.add(new RangeTable.Range(parts.get(i).low(), calls(first, i)));
            }
        }
        return all;
    }

    /**
     * Returns the index of the target of a split, which the row names from now on; -1 if the map has too many parts.
     *
     * @param parent root of the part that is to be split
     */
    int target(long parent) {
        while (true) {
            final CollectionRow now = read();
            final int known = now.targetOf(parent);
            if (known >= 0) {
                return known;
            }
            if (now.zones().length >= MapRanges.RANGES_MAX || RemoteDirectory.bytes(now).length > ROW_BYTES_MAX) {
                return -1;
            }
            final CollectionRow next = now.withTarget(zone(now), parent);
            if (directory.isChanged(name, now, next)) {
                row = next;
                return next.zones().length - 1;
            }
        }
    }

    /** Returns the open zone that has the fewest parts of the map, of peers that have the fewest. */
    private int zone(CollectionRow now) {
        final int[] open = directory.openZones();
        int best = open[client.chance().nextInt(open.length)];
        long least = weight(now, best);
        for (int zone : open) {
            final long weight = weight(now, zone);
            if (weight < least) {
                best = zone;
                least = weight;
            }
        }
        return best;
    }

    private long weight(CollectionRow now, int zone) {
        long weight = 0;
        final NodeRef of = client.tables().owner(zone);
        for (int each : now.zones()) {
            weight += (of != null && of.equals(client.tables().owner(each)) ? 1L << Integer.SIZE : 0)
                + (each == zone ? 1 : 0);
        }
        return weight;
    }

    /** Has the row name the bound of a target, whose split has ended. */
    void bind(int index, byte @Nullable [] low) {
        while (low != null) {
            final CollectionRow now = read();
            if (now.parts().get(index).hasBound()) {
                return;
            }
            final CollectionRow next = now.withBound(index, low);
            if (directory.isChanged(name, now, next)) {
                row = next;
                return;
            }
        }
    }
}
