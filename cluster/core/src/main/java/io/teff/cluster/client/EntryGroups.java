package io.teff.cluster.client;

import io.teff.cluster.meta.NodeRef;
import io.teff.engine.Cid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Groups the entries of a batch by zone and by owner, in the order of the batch: a group becomes one message. For one
 * thread.
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
     * Entries of zones of one owner; entries of a zone are neighbours.
     *
     * @param owner of all zones of the group
     * @param zone the zone of the first entry
     * @param entries indexes in the batch
     * @param sections of changes, each for a different zone; empty for reads
     */
    record Group(NodeRef owner, int zone, int[] entries, List<Section> sections) {}

    /** Returns the owner of a zone, or null if the zone has no owner now. */
    interface Owners {
        @Nullable NodeRef owner(int zone);
    }

    /** Returns the length of the content sent with an entry. */
    interface Lengths {
        long length(int entry);
    }

    /**
     * Groups the pending entries; leaves out entries of zones without an owner.
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
                    groups.add(new Group(owner, firstZone, Arrays.copyOf(entries, count), List.of()));
                    count = 0;
                    bytes = 0;
                }
                firstZone = count == 0 ? zone.zone : firstZone;
                entries[count++] = zone.entries[i];
                bytes += length;
            }
        }
        groups.add(new Group(owner, firstZone, Arrays.copyOf(entries, count), List.of()));
    }

    // ---- changes ----

    /**
     * Cuts entries of changes into sections.
     *
     * @param cids the chunks, from index {@code from} on
     * @param pending indexes of the entries
     */
    static List<Section> sections(long[] cids, int from, int[] pending, Lengths lengths) {
        final Map<Integer, ZoneEntries> byZone = new LinkedHashMap<>();
        for (int entry : pending) {
            byZone.computeIfAbsent(Cid.nid(cids[from + entry]), ZoneEntries::new).add(entry);
        }
        final List<Section> sections = new ArrayList<>();
        for (ZoneEntries zone : byZone.values()) {
            int begin = 0;
            long bytes = 0;
            for (int i = 0; i < zone.count; i++) {
                final long length = lengths.length(zone.entries[i]);
                if (i - begin == ENTRIES_MAX || i > begin && bytes + length > CONTENT_BYTES_MAX) {
                    sections.add(new Section(zone.zone, Arrays.copyOfRange(zone.entries, begin, i)));
                    begin = i;
                    bytes = 0;
                }
                bytes += length;
            }
            sections.add(new Section(zone.zone, Arrays.copyOfRange(zone.entries, begin, zone.count)));
        }
        return sections;
    }

    /** Where the sections of one owner and session are collected for the next message. */
    private static final class Message {
        private final List<Section> sections = new ArrayList<>();
        private final Set<Integer> zones = new HashSet<>();
        private int entries;
        private long bytes;

        boolean hasRoom(Section section, long length, boolean isAlone) {
            return sections.isEmpty() || !isAlone && entries + section.entries.length <= ENTRIES_MAX
                && bytes + length <= CONTENT_BYTES_MAX && !zones.contains(section.zone);
        }

        void add(Section section, long length) {
            sections.add(section);
            zones.add(section.zone);
            entries += section.entries.length;
            bytes += length;
        }

        Group group(NodeRef owner) {
            final int[] all = new int[entries];
            int at = 0;
            for (Section section : sections) {
                System.arraycopy(section.entries, 0, all, at, section.entries.length);
                at += section.entries.length;
            }
            return new Group(owner, sections.getFirst().zone, all, List.copyOf(sections));
        }
    }

    private record Target(NodeRef owner, ClientSession session) {}

    /**
     * Groups sections into messages; leaves out sections without a turn, and sections of zones without an owner.
     *
     * @param isAlone whether each section has a message of its own
     */
    static List<Group> of(List<Section> sections, Owners owners, Lengths lengths, boolean isAlone) {
        final Map<Target, Message> open = new HashMap<>();
        final List<Group> groups = new ArrayList<>();
        for (Section section : sections) {
            final NodeRef owner = owners.owner(section.zone);
            final ClientSession.Turn turn = section.turn;
            if (owner == null || turn == null) {
                continue;
            }
            long bytes = 0;
            for (int entry : section.entries) {
                bytes += lengths.length(entry);
            }
            final Target target = new Target(owner, turn.session());
            final Message message = open.computeIfAbsent(target, _ -> new Message());
            if (message.hasRoom(section, bytes, isAlone)) {
                message.add(section, bytes);
            } else {
                groups.add(message.group(owner));
                final Message next = new Message();
                next.add(section, bytes);
                open.put(target, next);
            }
        }
        open.forEach((target, message) -> groups.add(message.group(target.owner)));
        return groups;
    }
}
