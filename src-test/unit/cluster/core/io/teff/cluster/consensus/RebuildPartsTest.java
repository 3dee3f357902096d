package io.teff.cluster.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.FolderReport;
import io.teff.cluster.meta.KnownTables;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.Rebuild;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.net.identity.ClusterId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The parts of rebuilt metadata fit into messages of the replicated log. */
class RebuildPartsTest {
    private static final ClusterId CLUSTER = new ClusterId(1, 2, "orders");
    /** An eighth of a term of 64 KiB, less the heads of Aeron. */
    private static final int MESSAGE_BYTES = 8_000;
    private static final int ZONES = 2_000;
    private static final int NODES = 300;

    @Test
    void partsOfManyZonesAndNodes_fitIntoMessages_andAreReadAgain() {
        List<NodeRow> nodes = new ArrayList<>();
        for (int nid = 16; nid < 16 + NODES; nid++) {
            nodes.add(new NodeRow(nid, 1_000_000, true, new UUID(-1, nid), -1, "tcp:a-host-with-a-long-name.example:7"
                + nid, Roles.PEER, 1_000_000, Long.MAX_VALUE, 60_000, 60_000, Long.MAX_VALUE >> 1, true));
        }
        List<ZoneRow> zones = new ArrayList<>();
        for (int zone = 1; zone <= ZONES; zone++) {
            List<Backup> backups = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                backups.add(new Backup(new NodeRef(20 + i, 1_000_000), 500_000 + i));
            }
            zones.add(new ZoneRow(zone, 40_000, ZoneState.OPEN, true, new NodeRef(16, 1_000_000), backups, List.of(),
                List.of(), 900_000, Long.MAX_VALUE >> 1));
        }
        KnownTables tables = new KnownTables(Long.MAX_VALUE >> 1, 1_000_000, nodes, zones);
        List<Command.ZonesRebuilt> parts = Rebuild.plan(List.of(new FolderReport("peer", new UUID(-1, 16), CLUSTER,
            1_000_000, List.of(), tables)), 2).commands(-1);
        assertEquals(ZONES, parts.stream().mapToInt(part -> part.tables().zones().size()).sum());
        assertEquals(NODES, parts.stream().mapToInt(part -> part.tables().nodes().size()).sum());
        for (Command.ZonesRebuilt part : parts) {
            ProposalCodec.Proposal proposal = new ProposalCodec.Proposal(2, -1, Long.MAX_VALUE, part);
            byte[] bytes = ProposalCodec.bytes(proposal);
            assertTrue(bytes.length <= MESSAGE_BYTES, "part " + part.part() + ": " + bytes.length + " bytes");
            assertEquals(new LogRecord.Known(proposal), ProposalCodec.read(bytes));
        }
    }
}
