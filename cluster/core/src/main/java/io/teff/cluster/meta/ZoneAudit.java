package io.teff.cluster.meta;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Checks the invariants of the rows of zones. */
final class ZoneAudit {
    private final long version;
    private final int nextZone;
    private final Predicate<NodeRef> isAlive;

    /**
     * Begins an audit.
     *
     * @param version version of the tables
     * @param nextZone the next zone to give
     * @param isAlive whether a life counts
     */
    ZoneAudit(long version, int nextZone, Predicate<NodeRef> isAlive) {
        this.version = version;
        this.nextZone = nextZone;
        this.isAlive = isAlive;
    }

    /** Checks a row; throws {@link IllegalStateException} if an invariant is broken. */
    void check(ZoneRow row) {
        String what = "zone " + row.zone();
        check(row.epoch() >= 1 && row.epoch() <= ZoneRow.EPOCH_MAX, what + " epoch");
        check(!row.isUsedUp() || row.state() == ZoneState.WAITING && row.backups().isEmpty()
            || row.state() == ZoneState.LOST, what + " is used up");
        check(row.version() <= version, what + " version");
        check(row.zone() < nextZone, what + " was never given");
        boolean hasOwner = row.state().isServed() || row.state() == ZoneState.RESTORING;
        check(hasOwner == (row.owner() != null), what + " owner");
        check(row.owner() == null || isAlive.test(row.owner()), what + " owner lives");
        check(row.state() != ZoneState.LOST || row.backups().isEmpty() && row.kept().isEmpty()
            && row.outdated().isEmpty(), what + " is not lost");
        check(row.state() != ZoneState.WAITING || !row.kept().isEmpty() || !row.isReported()
            || row.backups().isEmpty() && !row.outdated().isEmpty(), what + " waits for nothing");
        check(row.state() != ZoneState.FENCING || row.kept().isEmpty()
            || row.backups().stream().anyMatch(backup -> !backup.isCut()), what + " has no whole candidate");
        Set<Integer> seen = new HashSet<>();
        Set<Integer> copies = new HashSet<>();
        if (row.owner() != null) {
            seen.add(row.owner().nid());
        }
        List<Backup> all = new ArrayList<>(row.backups());
        all.addAll(row.spares());
        all.addAll(row.learners());
        for (Backup backup : all) {
            check(isAlive.test(backup.node()) || row.isLast(), what + " backup lives");
            check(seen.add(backup.node().nid()), what + " names a node twice");
            check(copies.add(backup.copy()) && backup.copy() < row.nextCopy(), what + " copies");
        }
        for (Backup backup : row.kept()) {
            check(!isAlive.test(backup.node()) || row.isOwnedBy(backup.node()) || row.isUsedUp(),
                what + " keeps what lives");
            check((copies.add(backup.copy()) || row.isLearnedFrom(backup)) && backup.copy() < row.nextCopy(),
                what + " kept copies");
        }
        Set<Integer> outdated = new HashSet<>();
        for (Backup backup : row.outdated()) {
            check((copies.add(backup.copy()) || row.isLearnedFrom(backup)) && backup.copy() < row.nextCopy(),
                what + " outdated copies");
            check(outdated.add(backup.node().nid()), what + " has two outdated copies of a node");
        }
        check(row.state() != ZoneState.RESTORING || row.owner() != null && row.keptOf(row.owner()) != null,
            what + " owner's copy");
        check(row.spares().isEmpty() || row.state() == ZoneState.RESTORING, what + " spares");
        check(row.learners().isEmpty() || row.state().isServed(), what + " learners");
        check(row.heir() == null || row.receiver(row.heir()) != null
            && (row.state().isServed() || row.state() == ZoneState.FENCING), what + " heir");
        check(row.reports().isEmpty() || row.state().isFenced(), what + " reports");
        check(row.obstacles().isEmpty() || !row.state().isServed(), what + " obstacles");
        row.obstacles().forEach(obstacle -> check(isAlive.test(obstacle.node()), what + " obstacle of a dead node"));
    }

    static void check(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException("metadata audit: " + what);
        }
    }
}
