package io.teff.cluster.peer;

import io.teff.cluster.cell.Tables;
import io.teff.cluster.message.TableAnswer;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of zones for tests. */
final class Rows {
    private Rows() {}

    /** Returns a row whose backups have the copies 1, 2 and so on. */
    static ZoneRow row(int zone, int epoch, ZoneState state, @Nullable NodeRef owner, NodeRef... backups) {
        List<Backup> copies = new ArrayList<>();
        for (NodeRef backup : backups) {
            copies.add(new Backup(backup, copies.size() + 1));
        }
        return new ZoneRow(zone, epoch, state, false, owner, copies, List.of(), List.of(), copies.size() + 1, epoch);
    }

    /** Returns the row of the next epoch, without a backup. */
    static ZoneRow without(ZoneRow row, NodeRef backup) {
        return new ZoneRow(row.zone(), row.epoch() + 1, row.state(), false, row.owner(),
            row.backups().stream().filter(it -> !it.node().equals(backup)).toList(), List.of(), List.of(),
            row.nextCopy(), row.version() + 1);
    }

    /** Returns the row of the next epoch, in which a backup is a learner with a new copy. */
    static ZoneRow learning(ZoneRow row, NodeRef learner, int copy) {
        return new ZoneRow(row.zone(), row.epoch() + 1, row.state(), false, row.owner(),
            row.backups().stream().filter(it -> !it.node().equals(learner)).toList(), List.of(), List.of(),
            List.of(), copy + 1, row.version() + 1, List.of(new Backup(learner, copy)));
    }

    /** Returns the row with kept copies. */
    static ZoneRow keeping(ZoneRow row, Backup... kept) {
        return new ZoneRow(row.zone(), row.epoch(), row.state(), false, row.owner(), row.backups(), List.of(),
            List.of(), List.of(), row.nextCopy(), row.version(), row.learners(), null, List.of(kept));
    }

    static Tables tables(ZoneRow... rows) {
        Tables tables = new Tables();
        tables.update(new TableAnswer(1, List.of(), List.of(rows), null, null, 2, 0));
        return tables;
    }
}
