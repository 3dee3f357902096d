package io.teff.cluster.meta;

import java.util.ArrayList;
import java.util.List;

/**
 * Metadata that were made from the folders of peers, and what is known of their faults.
 *
 * @param tables the metadata; their version is above all that were ever given
 * @param findings what was found of each zone, in the order of the zones
 * @param missing peers that the tables name, and whose folder was not reported; without an address if no tables say
 *     more than the number of the node
 * @param obstacles why these folders cannot be the peers of one cluster, in sentences; empty if nothing is in the way
 */
public record RebuildPlan(RebuiltTables tables, List<Finding> findings, List<NodeRow> missing,
                          List<String> obstacles) {
    /** Most bytes of the rows of a command, about: a message of the replicated log has 8 KiB at most. */
    private static final int PART_BYTES = 4_000;
    private static final int NODE_BYTES = 100;
    private static final int ZONE_BYTES = 80;
    private static final int COPY_BYTES = 16;

    /** What becomes of a zone. */
    public enum Outlook {
        /** All copies that count were reported: the zone is served when their peers have started. */
        SERVED,
        /** Some copies that may count were not reported: the zone waits for them. */
        WAITING,
        /**
         * There are later changes than those of the copies that count, in a copy that is damaged, or not known to be
         * the whole zone: the zone waits for a person.
         */
        DOUBTFUL,
        /** The zone has too few epochs left: its copies are kept, and it is not served any more. */
        USED_UP,
        /** No copy of it can be used. */
        LOST
    }

    /**
     * What was found of a zone.
     *
     * @param zone the zone
     * @param outlook what becomes of it
     * @param isLater whether copies have changes of a later epoch than all tables
     */
    public record Finding(int zone, Outlook outlook, boolean isLater) {}

    /** Copies the lists. */
    public RebuildPlan {
        findings = List.copyOf(findings);
        missing = List.copyOf(missing);
        obstacles = List.copyOf(obstacles);
    }

    /**
     * {@return the zones of an outlook}
     *
     * @param outlook the outlook
     */
    public List<Integer> zones(Outlook outlook) {
        return findings.stream().filter(finding -> finding.outlook() == outlook).map(Finding::zone).toList();
    }

    /**
     * {@return the commands that give the metadata to a new cell, in their order} The version of the tables rises by
     * one with each, so that no reader takes the rows of some for all.
     *
     * @param key random number of this rebuild
     */
    public List<Command.ZonesRebuilt> commands(long key) {
        if (!obstacles.isEmpty()) {
            throw new IllegalStateException("not one cluster: " + obstacles);
        }
        List<Part> parts = new ArrayList<>(List.of(new Part(new ArrayList<>(), new ArrayList<>())));
        int bytes = 0;
        for (NodeRow row : tables.nodes()) {
            bytes = begun(parts, bytes, NODE_BYTES + row.address().length());
            parts.getLast().nodes().add(row);
        }
        for (ZoneRow row : tables.zones()) {
            bytes = begun(parts, bytes, ZONE_BYTES + COPY_BYTES * row.kept().size());
            parts.getLast().zones().add(row);
        }
        List<Command.ZonesRebuilt> commands = new ArrayList<>();
        for (Part part : parts) {
            final long version = tables.version() + commands.size();
            commands.add(new Command.ZonesRebuilt(key, commands.size(), parts.size(), new RebuiltTables(version,
                tables.nextZone(), tables.nextNid(), tables.lastSession(),
                part.nodes().stream().map(row -> row.at(version)).toList(),
                part.zones().stream().map(row -> row.at(version)).toList())));
        }
        return commands;
    }

    private record Part(List<NodeRow> nodes, List<ZoneRow> zones) {}

    /** Begins another part if the next row does not fit into the last one; returns the bytes with the row. */
    private static int begun(List<Part> parts, int bytes, int more) {
        if (bytes + more <= PART_BYTES) {
            return bytes + more;
        }
        parts.add(new Part(new ArrayList<>(), new ArrayList<>()));
        return more;
    }
}
