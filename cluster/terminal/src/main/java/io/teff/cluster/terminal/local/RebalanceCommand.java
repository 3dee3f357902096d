package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.BackupMove;
import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterMoves;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.MoveRefusedException;
import io.teff.cluster.admin.ZoneMove;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code cluster rebalance}: makes the shares of peers equal by bytes and by load. */
@Command(
    name = "rebalance",
    description = {"Moves zones, while they are used, so that peers have equal shares of bytes and of operations.",
        "Looks at the operations of each zone for some seconds first. Peers have equal numbers of zones without this "
            + "command: it moves and exchanges zones of different size and load. Hot zones move first, one step after "
            + "the other.", "Then moves backups, so that the copies of a zone are in different racks, and peers share "
            + "zones with about as many peers as the scatter width says. A zone gets the new backup before it gives up "
            + "the other."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:shares are equal and backups at their places, or --dry-run", "1:no superpeer answers",
        "2:wrong command line", "3:some moves have not ended in time, or were refused; run it again"},
    footerHeading = "%nExamples:%n",
    footer = {"  ./teff cluster rebalance --dry-run", "  ./teff cluster rebalance --look 30 --timeout 3600"},
    sortOptions = false)
public final class RebalanceCommand extends ClusterChange {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final double MEBIBYTE = 1 << 20;
    private static final int KEPT = -1;

    @Option(names = "--dry-run", description = "Only print the moves.")
    private boolean isDry;

    @Option(names = "--look", paramLabel = "SECONDS", defaultValue = "5",
        description = "How long to look at the load. Default: ${DEFAULT-VALUE}.")
    private int lookS = 5;

    @Option(names = "--scatter-width", paramLabel = "N", defaultValue = "-1", description = {"Set with how many peers "
        + "a peer shares zones, about; 0 for all. Default: as it is."})
    private int width = KEPT;

    @Option(names = "--json", description = "Write JSON.")
    private boolean isJson;

    private final List<Map<String, Object>> rows = new ArrayList<>();

    @Override
    int run(ClusterAdmin admin) throws IOException {
        ClusterMoves moves = admin.moves();
        long begunNs = Clock.SYSTEM.nowNs();
        ClusterStatus before = status(admin);
        Clock.SYSTEM.pause(this, TimeUnit.SECONDS.toNanos(Math.max(1, lookS)));
        ClusterStatus after = status(admin);
        List<ZoneMove> plan = moves.plan(before, after, Clock.SYSTEM.nowNs() - begunNs);
        int undone = 0;
        List<BackupMove> copies = moves.spread(width == KEPT ? moves.scatterWidth() : width);
        long endNs = Clock.SYSTEM.nowNs() + patienceNs();
        for (List<ZoneMove> step : steps(plan)) {
            undone += isDry ? told(step, "planned") : take(step, admin, moves, endNs);
        }
        if (!isDry && width != KEPT) {
            moves.setScatterWidth(width, patienceNs());
        }
        // moves of zones have changed what the first plan has seen
        BackupWork work = new BackupWork(moves, isDry ? copies : moves.spread(moves.scatterWidth()), this::note);
        undone += isDry ? work.tell("planned") : work.take(endNs, patienceNs());
        tell(plan, work, undone);
        return undone == 0 ? 0 : UNFINISHED;
    }

    private void tell(List<ZoneMove> plan, BackupWork work, int undone) throws IOException {
        if (isJson) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("isDryRun", isDry);
            document.put("moves", rows);
            document.put("backups", work.rows());
            print(document);
            return;
        }
        work.lines().forEach(this::print);
        if (plan.isEmpty() && work.rows().isEmpty()) {
            print("the shares of the peers are equal, and the backups are at their places: nothing to move");
        } else {
            print(plan.size() + " moves of zones and " + work.rows().size() + " moves of backups"
                + (isDry ? " are planned" : ", of which " + undone + " were not made"));
        }
    }

    private static List<List<ZoneMove>> steps(List<ZoneMove> plan) {
        Map<Integer, List<ZoneMove>> steps = new TreeMap<>();
        plan.forEach(move -> steps.computeIfAbsent(move.step(), _ -> new ArrayList<>()).add(move));
        return List.copyOf(steps.values());
    }

    /** Takes a step; returns the number of moves that were not made. */
    private int take(List<ZoneMove> step, ClusterAdmin admin, ClusterMoves moves, long endNs) throws IOException {
        List<ZoneMove> begun = new ArrayList<>();
        int undone = 0;
        for (ZoneMove move : step) {
            try {
                if (Clock.SYSTEM.nowNs() - endNs > 0) {
                    undone += told(List.of(move), "not begun") + 1;
                    continue;
                }
                moves.move(move, patienceNs());
                begun.add(move);
            } catch (MoveRefusedException e) {
                if (e.reason() == MoveRefusedException.Reason.UNANSWERED) {
                    throw e;
                }
                note("zone " + move.zone() + " does not move: " + FailureText.of(e));
                undone += told(List.of(move), "refused") + 1;
            }
        }
        while (true) {
            ClusterStatus tables = admin.tables();
            for (ZoneMove move : List.copyOf(begun)) {
                ZoneStatus zone = tables.zone(move.zone());
                if (zone != null && zone.isOwnedBy(move.to()) && zone.state().isServed()) {
                    begun.remove(move);
                    told(List.of(move), "moved");
                }
            }
            if (begun.isEmpty() || Clock.SYSTEM.nowNs() - endNs > 0) {
                told(begun, "under way");
                return undone + begun.size();
            }
            Clock.SYSTEM.pause(this, LOOK_NS);
        }
    }

    /** Tells of moves; returns 0. */
    private int told(List<ZoneMove> moves, String state) {
        for (ZoneMove move : moves) {
            if (isJson) {
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("step", move.step());
                row.put("zone", move.zone());
                row.put("from", move.from().nid());
                row.put("to", move.to().nid());
                row.put("bytes", move.bytes());
                row.put("operationsPerSecond", Math.round(move.load()));
                row.put("state", state);
                rows.add(row);
            } else {
                print(String.format(Locale.ROOT, "zone %d from %s to %s: %.1f MiB, %.0f operations/s, %s", move.zone(),
                    move.from(), move.to(), move.bytes() / MEBIBYTE, move.load(), state));
            }
        }
        return 0;
    }
}
