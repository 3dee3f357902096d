package io.teff.cluster.terminal.demo;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.config.Address;
import io.teff.cluster.config.NodeConfig;
import io.teff.cluster.terminal.local.ClusterFolder;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.local.FolderOption;
import io.teff.cluster.terminal.local.LocalNode;
import io.teff.cluster.terminal.watch.CellLink;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code cluster demo}. */
@Command(
    name = "demo",
    description = {"Kills a peer of a running cluster in the middle of updates, and verifies every byte.",
        "Creates chunks, updates them by several threads at level BACKED, kills the peer as kill -9 does, and shows "
            + "when the cluster has noticed it, fenced its zones and serves them again. Then every chunk must have the "
            + "last acknowledged content."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:every chunk was right", "1:chunks were wrong, or the cluster or client has failed",
        "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  teff cluster up && teff cluster demo --svg recovery.svg && teff cluster start peer-1",
    sortOptions = false)
public final class DemoCommand implements Callable<Integer> {
    private static final int CHUNKS_MIN = 1_000;
    private static final int CHUNKS_MAX = 8_000_000;
    private static final int THREADS_MAX = 64;

    @Mixin
    private FolderOption folder = new FolderOption();

    @Option(names = "--chunks", paramLabel = "N", defaultValue = "2000000",
        description = "Number of chunks of 32 B, 1000 to 8000000. Default: ${DEFAULT-VALUE}.")
    private int chunks;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "4",
        description = "Threads of the client, 1 to 64. Default: ${DEFAULT-VALUE}.")
    private int threads;

    @Option(names = "--kill", paramLabel = "NODE", defaultValue = "peer-1",
        description = "The peer that is killed. Default: ${DEFAULT-VALUE}.")
    private String victim = "peer-1";

    @Option(names = "--svg", paramLabel = "FILE", description = "Write the updates per second around the kill to FILE.")
    private @Nullable Path svg;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        if (chunks < CHUNKS_MIN || chunks > CHUNKS_MAX || threads < 1 || threads > THREADS_MAX) {
            throw new ParameterException(spec.commandLine(), "allowed: --chunks 1000 to 8000000, --threads 1 to 64");
        }
        ClusterFolder cluster = folder.open();
        LocalNode node = cluster.node(victim);
        if (node.isSuperpeer() || node.process() == null) {
            throw new CommandFailure(victim + (node.isSuperpeer() ? " is no peer" : " does not run"));
        }
        NodeConfig entrance = cluster.entrance();
        ClientConfig client = ClientConfig.builder(entrance.superpeers().stream().map(Address::tcp)
            .toArray(String[]::new)).secret(entrance.secret().bytes()).build();
        try (ClusterStore store = ClusterStore.connect(client);
             CellLink link = CellLink.open(entrance.superpeers(), entrance.secret())) {
            DemoRun.Outcome outcome = new DemoRun(new DemoChunks(store, chunks), link, threads, this::print).run(node);
            return report(outcome);
        } catch (IOException e) {
            throw new CommandFailure("the demo has failed: " + FailureText.of(e), e);
        }
    }

    private int report(DemoRun.Outcome outcome) throws IOException {
        print(String.format("%,d updates acknowledged, the longest after %.0f ms; no call has failed",
            outcome.updates(), outcome.longestNs() / 1e6));
        if (svg != null && outcome.samples().size() > 1) {
            Files.writeString(svg, DemoChart.svg(outcome));
            print("timeline: " + svg);
        }
        if (!outcome.timeline().isOver()) {
            throw new CommandFailure("only " + outcome.timeline().served() + " of " + outcome.timeline().zones()
                + " zones of " + victim + " are served again");
        }
        if (outcome.wrong() > 0) {
            throw new CommandFailure(outcome.wrong() + " of " + chunks + " chunks do not have the content that was "
                + "acknowledged last");
        }
        print(String.format("all %,d chunks have exactly the content that was acknowledged last", chunks));
        return 0;
    }

    private void print(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}
