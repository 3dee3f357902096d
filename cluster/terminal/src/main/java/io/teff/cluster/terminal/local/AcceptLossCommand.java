package io.teff.cluster.terminal.local;

import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.terminal.watch.CellLink;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.Parameters;

/** The command {@code cluster accept-loss}: gives up copies, so that zones do not wait for these copies. */
@picocli.CommandLine.Command(
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
        try (CellLink link = CellLink.open(cluster.entrance())) {
            if (!link.refresh()) {
                throw new CommandFailure("no superpeer answers: " + link.problem());
            }
            for (ZoneRow row : waiting(link)) {                 // all are checked before any is given up
                accept(link, row, new UnservedZones(link.tables(), cluster));
            }
            return 0;
        } catch (IOException e) {
            throw new CommandFailure("the cluster cannot be reached: " + FailureText.of(e), e);
        }
    }

    private List<ZoneRow> waiting(CellLink link) {
        List<ZoneRow> rows = new ArrayList<>();
        for (int zone : zones) {
            ZoneRow row = link.tables().zone(zone);
            if (row == null || row.state() != ZoneState.WAITING) {
                throw new CommandFailure("zone " + zone + (row == null ? " does not exist" : " does not wait: it is "
                    + row.state().name().toLowerCase(java.util.Locale.ROOT)) + "; nothing was given up");
            }
            rows.add(row);
        }
        return rows;
    }

    private void accept(CellLink link, ZoneRow row, UnservedZones names) {
        CommandReply reply = link.send(new Command.AcceptLoss(row.zone(), row.epoch()), PATIENCE_NS);
        if (!(reply instanceof CommandReply.Done)) {
            throw new CommandFailure("zone " + row.zone() + (reply == null ? ": no superpeer leads"
                : " has changed meanwhile; look at it: teff cluster status" + folder().text()));
        }
        print("zone " + row.zone() + ": given up is what is at " + names.wanted(row) + "; "
            + (row.backups().isEmpty() ? "the zone is lost, with all its chunks"
                : "it goes on with the copy of " + row.backups().stream().map(names::place)
                    .collect(Collectors.joining(" or "))));
    }
}
