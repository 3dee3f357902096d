package io.teff.cluster.meta;

import io.teff.cluster.meta.SuperpeerRow.Standing;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** Draws commands, most of which fit the state of a machine. */
final class RandomCommands {
    private static final int FOLDERS = 6;

    private RandomCommands() {}

    static Command next(Random random, MetadataMachine machine) {
        List<NodeRow> nodes = machine.nodesSince(-1);
        List<ZoneRow> zones = machine.zonesSince(-1);
        if (nodes.isEmpty() || random.nextInt(8) == 0) {
            Roles roles = random.nextInt(5) == 0 ? Roles.CLIENT : Roles.PEER;
            Command.Join join = new Command.Join(new UUID(0, random.nextInt(FOLDERS)), random.nextInt(3), "a", roles);
            return random.nextInt(3) == 0 ? join : new ZoneSite(join, "rack-" + random.nextInt(3));
        }
        NodeRow row = nodes.get(random.nextInt(nodes.size()));
        NodeRef node = random.nextInt(10) == 0 ? new NodeRef(row.nid(), 1) : row.reference();
        if (zones.isEmpty() || random.nextInt(6) == 0) {
            return new Command.NewZones(node, row.request() + random.nextInt(3), random.nextInt(4));
        }
        ZoneRow zone = zones.get(random.nextInt(zones.size()));
        int epoch = zone.epoch() - (random.nextInt(8) == 0 ? 1 : 0);
        return switch (random.nextInt(28)) {
            case 0 -> new Command.Vote(random.nextInt(3), random.nextInt(2), node);
            case 1 -> random.nextInt(4) == 0 ? superpeers(machine, random)
                : new Command.SuperpeerLife(random.nextInt(3), random.nextInt(2), random.nextInt(3));
            case 2 -> random.nextInt(4) == 0 ? new Command.Ended(node) : new Command.ZoneFull(zone.zone(), epoch);
            case 3 -> new Command.BackupFailed(zone.zone(), epoch, node);
            case 4 -> new Command.Hedge(zone.zone(), epoch);
            case 9 -> new Command.CannotRestore(zone.zone(), epoch, zone.owner() == null ? node : zone.owner(),
                random.nextInt(zone.nextCopy() + 1), Hindrance.values()[random.nextInt(3)], 100, random.nextInt(3));
            case 5, 6 -> new Command.Owned(zone.zone(), epoch, zone.owner() == null ? node : zone.owner());
            case 7, 8 -> new Command.AddBackup(zone.zone(), epoch, random.nextBoolean() ? List.of() : List.of(node));
            case 10 -> new Command.Learned(zone.zone(), epoch, zone.learners().isEmpty() ? node
                : zone.learners().getFirst().node());
            case 11 -> new Command.ClientOpen(random.nextInt(8));
            case 12 -> new Command.ClientGone(1 + random.nextInt(20));
            case 13 -> new Command.ClaimZone(zone.zone(), epoch, node);
            case 14 -> new Command.HandOver(zone.zone(), epoch, zone.owner() == null ? node : zone.owner());
            case 15 -> new Command.DoWithout(zone.zone(), epoch);
            case 16 -> random.nextInt(3) > 0 ? new Command.ZoneSought(zone.zone())
                : new Command.AcceptLoss(zone.zone(), epoch, 0, 0);
            case 17, 18 -> returned(random, machine, zone, epoch);
            case 23 -> new ZoneSent(zone.zone(), epoch, node);
            case 24 -> random.nextInt(3) == 0 ? new UnbindNode(node) : new UnloadNode(node, random.nextInt(3) > 0);
            case 25 -> new ZoneSpread(zone.zone(), epoch, node, random.nextInt(3) > 0);
            case 26 -> random.nextInt(3) == 0 ? new ZoneWidth(random.nextInt(4)) : new ZoneVacant(zone.zone(), epoch);
            default -> new Command.Fenced(zone.zone(), epoch, candidate(random, zone, node), random.nextInt(5));
        };
    }

    /** A node comes back, most often with a copy for which the zone waits. */
    private static Command returned(Random random, MetadataMachine machine, ZoneRow zone, int epoch) {
        Backup kept = zone.kept().isEmpty() ? new Backup(new NodeRef(MetadataMachine.NID_FIRST, 1), 1)
            : zone.kept().get(random.nextInt(zone.kept().size()));
        NodeRef now = machine.nodesSince(-1).stream().filter(row -> row.nid() == kept.node().nid())
            .map(NodeRow::reference).findFirst().orElse(kept.node());
        return new Command.Returned(zone.zone(), epoch, now, kept.copy(), random.nextInt(5),
            CopyState.values()[random.nextInt(CopyState.values().length)]);
    }

    private static NodeRef candidate(Random random, ZoneRow zone, NodeRef other) {
        return zone.backups().isEmpty() ? other
            : zone.backups().get(random.nextInt(zone.backups().size())).node();
    }

    /** Returns a command that changes the superpeers. */
    private static Command superpeers(MetadataMachine machine, Random random) {
        List<SuperpeerRow> rows = machine.superpeers().rows();
        SuperpeerRow row = rows.get(random.nextInt(rows.size()));
        return switch (random.nextInt(6)) {
            case 0 -> new Command.AddSuperpeer("loop:" + random.nextInt(6));
            case 1 -> new Command.RemoveSuperpeer(row.number());
            case 2 -> new Command.SuperpeerMoved(row.number(), machine.life(row.number()), "loop:" + random.nextInt(6));
            default -> new Command.SuperpeerStands(row.number(), machine.superpeers().version() - random.nextInt(2),
                Standing.values()[random.nextInt(Standing.values().length)]);
        };
    }
}
