package io.teff.cluster.meta;

import java.util.ArrayList;
import java.util.List;

/**
 * Metadata made from the folders of peers, and the known faults of the metadata.
 *
 * @param tables the metadata; the version is above all versions ever given
 * @param findings results for each zone, in the order of the zones
 * @param missing peers named by the tables, but without a reported folder; without an address if the tables have only
 *     the number of the node
 * @param obstacles why these folders cannot be the peers of one cluster, in sentences; empty if nothing is in the way
 */
public record RebuildPlan(RebuiltTables tables, List<Finding> findings, List<NodeRow> missing,
                          List<String> obstacles) {
    /** Most bytes of the rows of a command, about: a message of the replicated log has 8 KiB at most. */
    private static final int PART_BYTES = 4_000;
    private static final int NODE_BYTES = 100;
    private static final int ZONE_BYTES = 80;
    private static final int COPY_BYTES = 16;

    /** The future of a zone. */
    public enum Outlook {
        /** All copies that count were reported: the zone is served when the peers with these copies have started. */
        SERVED,
        /** Some copies that may count were not reported: the zone waits for the missing copies. */
        WAITING,
        /**
         * A damaged or possibly incomplete copy has later changes than the copies that count: the zone waits for a
         * person.
         */
        DOUBTFUL,
        /** The zone has too few epochs left: its copies are kept, and the zone is not served any more. */
        USED_UP,
        /** No copy of the zone is usable. */
        LOST
    }

    /**
     * The results for a zone.
     *
     * @param zone id of the zone
     * @param outlook the future of the zone
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
     * @param outlook by which the zones are selected
     */
    public List<Integer> zones(Outlook outlook) {
        return findings.stream().filter(finding -> finding.outlook() == outlook).map(Finding::zone).toList();
    }

    /**
     * {@return the commands that give the metadata to a new cell, in order} The version of the tables rises by one with
     * each command, so no reader mistakes the rows of some parts for all rows.
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
            bytes = begun(parts, bytes, NODE_BYTES + row.address().length() + row.rack().length());
            parts.getLast().nodes().add(row);
        }
        for (ZoneRow row : tables.zones()) {
            bytes = begun(parts, bytes, ZONE_BYTES + COPY_BYTES * row.kept().size());
            parts.getLast().zones().add(row);
        }
        List<Command.ZonesRebuilt> commands = new ArrayList<>();
        for (Part part : parts) {
            final long version = tables.version() + commands.size();
            commands.add(new Command.ZonesRebuilt(key, commands.size(), parts.size(),
                new RebuiltTables(tables.cluster(), version, tables.nextZone(), tables.nextNid(), tables.lastSession(),
                    part.nodes().stream().map(row -> row.at(version)).toList(),
                    part.zones().stream().map(row -> row.at(version)).toList())));
        }
        return commands;
    }

    private record Part(List<NodeRow> nodes, List<ZoneRow> zones) {}

    /** Begins a new part if the next row does not fit into the last part; returns the bytes with the row. */
    private static int begun(List<Part> parts, int bytes, int more) {
        if (bytes + more <= PART_BYTES) {
            return bytes + more;
        }
        parts.add(new Part(new ArrayList<>(), new ArrayList<>()));
        return more;
    }
}
