package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code cluster accept-loss}: gives up copies, so that zones do not wait for these copies. */
@Command(
    name = "accept-loss",
    description = {"Gives up the copies for which zones wait, for good.",
        "A zone goes on with what has come back of it; changes of before a power cut may be missing. A zone of which "
            + "nothing has come back is lost, with all its chunks. Start the nodes that teff cluster status names "
            + "instead, if their disks still exist."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:all copies are given up", "1:a zone does not wait, or no superpeer answers",
        "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  teff cluster accept-loss 5 13",
    sortOptions = false)
public final class AcceptLossCommand extends LocalCommand {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

    @Parameters(paramLabel = "ZONE", arity = "1..*", description = "The zones, as teff cluster status names them.")
    private List<Integer> zones = List.of();

    @Override
    public Integer call() {
        ClusterFolder cluster = folder().open();
        try (ClusterAdmin admin = cluster.entrance().connect()) {
            ClusterStatus status = admin.tables();
            if (!status.isAnswering()) {
                throw new CommandFailure("no superpeer answers: " + status.problem());
            }
            for (ZoneStatus row : waiting(status)) {            // all zones are checked before a copy is given up
                accept(admin, row, new UnservedZones(status, cluster));
            }
            return 0;
        } catch (IOException e) {
            throw new CommandFailure("the cluster cannot be reached: " + FailureText.of(e), e);
        }
    }

    private List<ZoneStatus> waiting(ClusterStatus status) {
        List<ZoneStatus> rows = new ArrayList<>();
        for (int zone : zones) {
            ZoneStatus row = status.zone(zone);
            if (row == null || row.state() != ZoneStatus.State.WAITING) {
                throw new CommandFailure("zone " + zone + (row == null ? " does not exist" : " does not wait: it is "
                    + row.state().name().toLowerCase(Locale.ROOT)) + "; nothing was given up");
            }
            rows.add(row);
        }
        return rows;
    }

    private void accept(ClusterAdmin admin, ZoneStatus row, UnservedZones names) {
        ClusterAdmin.Acceptance acceptance = admin.acceptLoss(row, PATIENCE_NS);
        if (acceptance != ClusterAdmin.Acceptance.ACCEPTED) {
            throw new CommandFailure("zone " + row.zone() + (acceptance == ClusterAdmin.Acceptance.UNANSWERED
                ? ": no superpeer leads" : " has changed meanwhile; look at it: teff cluster status"
                    + folder().text()));
        }
        print("zone " + row.zone() + ": given up is what is at " + names.wanted(row) + "; "
            + (row.backups().isEmpty() ? "the zone is lost, with all its chunks"
                : "it goes on with the copy of " + row.backups().stream().map(names::place)
                    .collect(Collectors.joining(" or "))));
    }
}
