package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ZoneStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code cluster accept-loss}: gives up copies, so that zones do not wait for these copies. */
@Command(
    name = "accept-loss",
    description = {"Gives up the copies for which zones wait, for good.",
        "A zone goes on with what has come back of it; changes of before a power cut may be missing. If nothing has "
            + "come back, the zone goes on with the newest older copy at a node that runs, and lacks all later "
            + "changes. Without such a copy the zone is lost, with all its chunks. If a zone is served and only its "
            + "changes wait, they go on, and nothing is lost. Start the nodes that ./teff cluster status names "
            + "instead, if their disks still exist."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:all copies are given up", "1:a zone does not wait, or no superpeer answers",
        "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff cluster accept-loss 5 13",
    sortOptions = false)
public final class AcceptLossCommand extends ClusterChange {
    @Option(names = "--copy-of", paramLabel = "NID", description = "Go on with the older copy of this node.")
    private int copyOf;

    @Option(names = "--lose", description = "Lose zones of which only older copies are left.")
    private boolean isLost;

    @Parameters(paramLabel = "ZONE", arity = "1..*", description = "The zones, as ./teff cluster status names them.")
    private List<Integer> zones = List.of();

    @Override
    int run(ClusterAdmin admin) {
        ClusterStatus status = status(admin);
        List<ZoneStatus> rows = waiting(status);                // all zones are checked before a copy is given up
        Map<Integer, ZoneStatus.Copy> chosen = chosen(rows, status);
        for (ZoneStatus row : rows) {
            accept(admin, row, chosen.get(row.zone()), new UnservedZones(status, cluster()));
        }
        return 0;
    }

    private List<ZoneStatus> waiting(ClusterStatus status) {
        List<ZoneStatus> rows = new ArrayList<>();
        for (int zone : zones) {
            ZoneStatus row = status.zone(zone);
            if (row == null || !row.isWaiting()) {
                throw new CommandFailure("zone " + zone + (row == null ? " does not exist" : " does not wait: it is "
                    + row.state().name().toLowerCase(Locale.ROOT)) + "; nothing was given up");
            }
            rows.add(row);
        }
        return rows;
    }

    /** Returns the older copies with which zones go on, by zone. */
    private Map<Integer, ZoneStatus.Copy> chosen(List<ZoneStatus> rows, ClusterStatus status) {
        Map<Integer, ZoneStatus.Copy> chosen = new HashMap<>();
        for (ZoneStatus row : rows) {
            if (row.state() != ZoneStatus.State.WAITING || !row.backups().isEmpty() || isLost) {
                continue;
            }
            List<ZoneStatus.Copy> there = row.outdated().stream().filter(copy -> runs(copy, status)
                && (copyOf == 0 || copy.node().nid() == copyOf)).toList();
            if (!there.isEmpty()) {
                chosen.put(row.zone(), there.getLast());
            } else if (!row.outdated().isEmpty() || copyOf != 0) {
                throw new CommandFailure("zone " + row.zone() + (row.outdated().isEmpty() ? " has no older copy"
                    : " has no older copy at " + (copyOf == 0 ? "a node that runs" : "node " + copyOf + ", or it does"
                        + " not run") + "; start a node with one: " + new UnservedZones(status, null).older(row)
                        + "; or lose the zone with --lose") + "; nothing was given up");
            }
        }
        return chosen;
    }

    private static boolean runs(ZoneStatus.Copy copy, ClusterStatus status) {
        ClusterStatus.Member member = status.node(copy.node().nid());
        return member != null && member.isAlive();
    }

    private void accept(ClusterAdmin admin, ZoneStatus row, ZoneStatus.@Nullable Copy chosen, UnservedZones names) {
        ClusterAdmin.Acceptance acceptance = admin.acceptLoss(row, chosen, patienceNs());
        if (acceptance != ClusterAdmin.Acceptance.ACCEPTED) {
            throw new CommandFailure("zone " + row.zone() + (acceptance == ClusterAdmin.Acceptance.UNANSWERED
                ? ": no superpeer leads" : " has changed meanwhile; look at it: ./teff cluster status"
                    + (cluster() == null ? "" : folder().text())));
        }
        print("zone " + row.zone() + ": given up is what is at " + names.wanted(row) + "; "
            + result(row, chosen, names));
    }

    private static String result(ZoneStatus row, ZoneStatus.@Nullable Copy chosen, UnservedZones names) {
        if (row.state() != ZoneStatus.State.WAITING) {
            return "its changes go on without a backup, until the zone has a new one";
        }
        if (chosen != null) {
            return "it goes on with the older copy of " + names.place(chosen) + names.end(row.zone(), chosen)
                + ", without the changes behind its end";
        }
        return row.backups().isEmpty() ? "the zone is lost, with all its chunks" : "it goes on with the copy of "
            + row.backups().stream().map(names::place).collect(Collectors.joining(" or "));
    }
}
