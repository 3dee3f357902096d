package io.teff.cluster.meta;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields of the next row of a zone, which begin as those of the present row. For one thread. */
final class RowDraft {
    /** Most outdated copies of a zone. */
    private static final int OUTDATED_MAX = 4;

    private final ZoneRow from;
    private final long version;
    int epoch;
    ZoneState state;
    boolean isFull;
    @Nullable NodeRef owner;
    List<Backup> backups;
    List<ZoneRow.Report> reports;
    List<Backup> spares;
    List<ZoneRow.Obstacle> obstacles;
    int nextCopy;
    List<Backup> learners;
    @Nullable NodeRef heir;
    List<Backup> kept;
    List<Backup> outdated;

    /** Begins with the fields of a row. */
    RowDraft(ZoneRow from, long version) {
        this.from = from;
        this.version = version;
        epoch = from.epoch();
        state = from.state();
        isFull = from.isFull();
        owner = from.owner();
        backups = from.backups();
        reports = from.reports();
        spares = from.spares();
        obstacles = from.obstacles();
        nextCopy = from.nextCopy();
        learners = from.learners();
        heir = from.heir();
        kept = from.kept();
        outdated = from.outdated();
    }

    /** Begins a new configuration. */
    RowDraft next() {
        epoch++;
        return this;
    }

    /** Leaves out a node that takes no part any more; the node's copies stay. */
    RowDraft without(NodeRef node) {
        backups = ZoneRow.others(backups, node);
        spares = ZoneRow.others(spares, node);
        learners = ZoneRow.others(learners, node);
        obstacles = obstacles.stream().filter(obstacle -> !obstacle.node().equals(node)).toList();
        heir = node.equals(heir) ? null : heir;
        return this;
    }

    /** Leaves out the owner, and what only an owner has. */
    void withoutOwner() {
        owner = null;
        reports = List.of();
        spares = List.of();
        learners = List.of();
    }

    /** Adds copies that may lack later changes. A node has one outdated copy at most, its newest. */
    RowDraft outdate(List<Backup> copies) {
        List<Backup> all = new ArrayList<>(outdated);
        for (Backup copy : copies) {
            if (!copy.isDoubtful()) {
                all.removeIf(known -> known.node().nid() == copy.node().nid());
                all.add(copy);
            }
        }
        outdated = all.subList(Math.max(0, all.size() - OUTDATED_MAX), all.size());
        return this;
    }

    /** Forgets all copies of earlier lives of a node: its newest copy has everything. */
    void forget(NodeRef node) {
        kept = kept.stream().filter(copy -> copy.node().nid() != node.nid()).toList();
        outdated = outdated.stream().filter(copy -> copy.node().nid() != node.nid()).toList();
    }

    ZoneRow row() {
        return new ZoneRow(from.zone(), epoch, state, isFull, owner, backups, reports, spares, obstacles, nextCopy,
            version, learners, heir, kept, outdated);
    }
}
