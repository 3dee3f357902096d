package io.teff.cluster.terminal.local;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.cluster.admin.ClusterForecast.Sizes;
import io.teff.cluster.admin.ClusterForecast;
import io.teff.cluster.terminal.option.HelpOption;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code cluster plan}: what the death of a peer would mean for clusters of some sizes. */
@Command(
    name = "plan",
    description = {"Plays the death of a peer for clusters of some sizes, with the placement of zones of the product.",
        "Prints the time until all chunks can be read again, the time until each zone has its backups again, memory "
            + "and disk of a peer, and how probable losses are. A loss means here that all nodes with copies of a zone "
            + "lose their disks. A group is a set of nodes with all copies of a zone: RANDOM columns are of as many "
            + "zones whose backups are drawn. LOSS/RACK is the part of racks whose loss loses a zone. Asks no "
            + "cluster."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:success", "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff cluster plan --nodes 10,100,1000 --disk 500 --net 1200 --chunks 100000000 --backups 2",
    sortOptions = false)
public final class ForecastCommand implements Callable<Integer> {
    private static final double MEGA = 1e6;
    private static final double GIBIBYTE = 1 << 30;
    private static final double PERCENT = 100;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private HelpOption help = new HelpOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--nodes", paramLabel = "N", split = ",", defaultValue = "10,100,1000,10000",
        description = "Numbers of peers. Default: ${DEFAULT-VALUE}.")
    private List<Integer> nodes = List.of();

    @Option(names = "--disk", paramLabel = "MB/s", defaultValue = "500", description = "Rate of the disk of a peer. "
        + "Default: ${DEFAULT-VALUE}.")
    private double disk;

    @Option(names = "--net", paramLabel = "MB/s", defaultValue = "1200", description = "Rate of the network of a peer, "
        + "each way. Default: ${DEFAULT-VALUE}.")
    private double net;

    @Option(names = "--chunks", paramLabel = "M", defaultValue = "100000000", description = "Chunks of each peer. "
        + "Default: ${DEFAULT-VALUE}.")
    private long chunks;

    @Option(names = "--chunk-bytes", paramLabel = "BYTES", defaultValue = "64", description = "Bytes of a chunk. "
        + "Default: ${DEFAULT-VALUE}.")
    private int chunkBytes;

    @Option(names = "--backups", paramLabel = "B", defaultValue = "2", description = "Backups of each zone. Default: "
        + "${DEFAULT-VALUE}.")
    private int backups;

    @Option(names = "--restore", paramLabel = "CHUNKS/s", defaultValue = "4400000", description = "Chunks that a peer "
        + "restores in a second, apart from its disk. Default: ${DEFAULT-VALUE}.")
    private double restore;

    @Option(names = "--detection", paramLabel = "SECONDS", defaultValue = "0.05", description = "Time until a death is "
        + "known: some ten milliseconds if it is reported, else the term of leases. Default: ${DEFAULT-VALUE}.")
    private double detection;

    @Option(names = "--mtbf", paramLabel = "HOURS", defaultValue = "8766", description = "Mean time between two deaths "
        + "of one peer with its disk. Default: ${DEFAULT-VALUE}.")
    private double mtbf;

    @Option(names = "--outage", paramLabel = "PERCENT", defaultValue = "1", description = "Part of the peers that an "
        + "outage takes at once, with their disks. Default: ${DEFAULT-VALUE}.")
    private double outage;

    @Option(names = "--scatter-width", paramLabel = "N", defaultValue = "20", description = "With how many peers a "
        + "peer shares zones, about; 0 for all. Default: ${DEFAULT-VALUE}.")
    private int width;

    @Option(names = "--racks", paramLabel = "N", defaultValue = "0", description = "Number of racks, with equal "
        + "numbers of peers; 0 for a rack of its own for each peer. Default: ${DEFAULT-VALUE}.")
    private int racks;

    @Option(names = "--json", description = "Write JSON.")
    private boolean isJson;

    @Override
    public Integer call() throws IOException {
        List<ClusterForecast> forecasts = new ArrayList<>();
        for (int count : nodes) {
            try {
                forecasts.add(ClusterForecast.of(Sizes.of(count, backups, disk * MEGA, net * MEGA, chunks)
                    .withChunks(chunkBytes, restore).withDeaths(detection, mtbf, outage / PERCENT)
                    .withPlaces(width, racks)));
            } catch (IllegalArgumentException e) {
                throw new ParameterException(spec.commandLine(), FailureText.of(e), e);
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            out.println(JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT)
                .asString(forecasts.stream().map(ForecastCommand::row).toList()));
        } else {
            print(forecasts, out);
        }
        out.flush();
        return 0;
    }

    private static Map<String, Object> row(ClusterForecast each) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("nodes", each.sizes().peers());
        row.put("zones", each.zones());
        row.put("restorers", each.restorers());
        row.put("zonesOfOneRestorer", each.restoredMost());
        row.put("recoverySeconds", each.recoveryS());
        row.put("copiedBytes", each.copiedBytes());
        row.put("copyingSeconds", each.copyingS());
        row.put("memoryBytes", each.memoryBytes());
        row.put("diskBytes", each.diskBytes());
        row.put("groups", each.groups());
        row.put("lossPerYear", each.lossPerYear());
        row.put("lossByOutage", each.lossByOutage());
        row.put("scatterWidth", each.sizes().scatterWidth());
        row.put("randomGroups", each.groupsRandom());
        row.put("lossByOutageRandom", each.lossRandom());
        row.put("lossByRack", each.lossByRack());
        return row;
    }

    private static void print(List<ClusterForecast> forecasts, PrintWriter out) {
        out.println("  NODES   ZONES  RESTORERS  RECOVERY s  COPIED GiB  COPYING s  MEMORY GiB  DISK GiB   GROUPS  "
            + "LOSS/YEAR  LOSS/OUTAGE  RANDOM GROUPS  RANDOM LOSS/OUTAGE  LOSS/RACK");
        for (ClusterForecast each : forecasts) {
            out.println(String.format(Locale.ROOT, "%7d %7d %10d %11.2f %11.1f %10.1f %11.1f %9.1f %8d %10.1e "
                + "%11.2f%% %14d %18.2f%% %9.0f%%",
                each.sizes().peers(), each.zones(), each.restorers(), each.recoveryS(), each.copiedBytes() / GIBIBYTE,
                each.copyingS(), each.memoryBytes() / GIBIBYTE, each.diskBytes() / GIBIBYTE, each.groups(),
                each.lossPerYear(), each.lossByOutage() * PERCENT, each.groupsRandom(), each.lossRandom() * PERCENT,
                each.lossByRack() * PERCENT));
        }
    }
}
