package io.teff.cluster.client;

import io.teff.cluster.meta.NodeRef;
import io.teff.engine.Cid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Groups the entries of a batch by zone and by owner, in their order: a group becomes one message. For one thread.
 */
final class EntryGroups {
    /** Most entries of a message. */
    static final int ENTRIES_MAX = 4096;
    /** Most bytes of contents in a message, beyond its first content. */
    static final long CONTENT_BYTES_MAX = 4 << 20;
    private static final int COUNT_MIN = 8;

    private EntryGroups() {}

    /** Entries of one zone, in order. */
    private static final class ZoneEntries {
        private final int zone;
        private int[] entries = new int[COUNT_MIN];
        private int count;

        ZoneEntries(int zone) {
            this.zone = zone;
        }

        void add(int entry) {
            if (count == entries.length) {
                entries = Arrays.copyOf(entries, 2 * count);
            }
            entries[count++] = entry;
        }
    }

    /**
     * Entries of zones of one owner, those of a zone side by side.
     *
     * @param owner the owner
     * @param zone the zone of the first entry
     * @param entries indexes in the batch
     */
    record Group(NodeRef owner, int zone, int[] entries) {}

    /** Returns the owner of a zone, or null if it has none now. */
    interface Owners {
        @Nullable NodeRef owner(int zone);
    }

    /** Returns the length of the content that an entry sends. */
    interface Lengths {
        long length(int entry);
    }

    /**
     * Groups the entries that are not done; leaves out those of zones without an owner.
     *
     * @param cids the chunks, from index {@code from} on
     * @param pending indexes of the entries
     */
    static List<Group> of(long[] cids, int from, int[] pending, Owners owners, Lengths lengths) {
        final Map<Integer, ZoneEntries> byZone = new HashMap<>();
        final Map<NodeRef, List<ZoneEntries>> byOwner = new HashMap<>();
        ZoneEntries last = null;
        for (int entry : pending) {
            final int zone = Cid.nid(cids[from + entry]);
            if (last == null || last.zone != zone) {
                last = byZone.get(zone);
            }
            if (last == null) {
                last = new ZoneEntries(zone);
                byZone.put(zone, last);
                final NodeRef owner = owners.owner(zone);
                if (owner != null) {
                    byOwner.computeIfAbsent(owner, _ -> new ArrayList<>()).add(last);
                }
            }
            last.add(entry);
        }
        final List<Group> groups = new ArrayList<>();
        byOwner.forEach((owner, zones) -> cut(owner, zones, lengths, groups));
        return groups;
    }

    /** Cuts the entries of an owner into messages. */
    private static void cut(NodeRef owner, List<ZoneEntries> zones, Lengths lengths, List<Group> groups) {
        final int total = zones.stream().mapToInt(it -> it.count).sum();
        int[] entries = new int[Math.min(total, ENTRIES_MAX)];
        int count = 0;
        long bytes = 0;
        int firstZone = zones.getFirst().zone;
        for (ZoneEntries zone : zones) {
            for (int i = 0; i < zone.count; i++) {
                final long length = lengths.length(zone.entries[i]);
                if (count == ENTRIES_MAX || count > 0 && bytes + length > CONTENT_BYTES_MAX) {
                    groups.add(new Group(owner, firstZone, Arrays.copyOf(entries, count)));
                    count = 0;
                    bytes = 0;
                }
                firstZone = count == 0 ? zone.zone : firstZone;
                entries[count++] = zone.entries[i];
                bytes += length;
            }
        }
        groups.add(new Group(owner, firstZone, Arrays.copyOf(entries, count)));
    }
}
