package io.teff.cluster.terminal.status;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.cluster.config.Address;
import io.teff.cluster.config.Secret;
import io.teff.cluster.terminal.local.ClusterFolder;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.local.FolderOption;
import io.teff.cluster.terminal.watch.CellLink;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code cluster status}. */
@Command(
    name = "status",
    description = {"Shows the nodes of a cluster, their leases, memory and logs, and the zones by their states.",
        "NID has the incarnation behind it. ZONES are those that a node owns, BACKUPS those of which it keeps a copy."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:a superpeer answers", "1:none answers, or there is no cluster", "2:wrong command line"},
    footerHeading = "%nExamples:%n",
    footer = {"  teff cluster status --watch", "  teff cluster status --superpeers 10.0.0.1:7400 --json"},
    sortOptions = false)
public final class StatusCommand implements Callable<Integer> {
    private static final long WATCH_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final String HOME_AND_CLEAR = "\033[H\033[J";

    @Mixin
    private FolderOption folder = new FolderOption();

    @Option(names = "--superpeers", paramLabel = "HOST:PORT", split = ",",
        description = "Superpeers of a cluster that has no folder on this machine.")
    private @Nullable List<String> superpeers;

    @Option(names = "--secret-file", paramLabel = "FILE", description = "File with the secret of such a cluster.")
    private @Nullable Path secretFile;

    @Option(names = {"-w", "--watch"}, description = "Show it twice a second, until the command is ended.")
    private boolean isWatching;

    @Option(names = "--json", description = "Write JSON: with --watch a document per line, else one, indented.")
    private boolean isJson;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        ClusterFolder cluster = superpeers == null ? folder.open() : null;
        try (CellLink link = CellLink.open(addresses(cluster), secret(cluster))) {
            StatusReader reader = new StatusReader(cluster, addresses(cluster), link);
            PrintWriter out = spec.commandLine().getOut();
            ClusterStatus status = reader.read();
            print(out, status);
            while (isWatching && !out.checkError()) {
                Clock.SYSTEM.pause(this, WATCH_NS);
                status = reader.read();
                print(out, status);
            }
            return status.isAnswering() ? 0 : 1;
        } catch (IOException e) {
            throw new CommandFailure("the status cannot be read: " + FailureText.of(e), e);
        }
    }

    private List<Address> addresses(@Nullable ClusterFolder cluster) {
        if (cluster != null) {
            return cluster.entrance().superpeers();
        }
        List<Address> addresses = new ArrayList<>();
        for (String text : superpeers == null ? List.<String>of() : superpeers) {
            Address address = Address.parse(text);
            if (address == null) {
                throw new ParameterException(spec.commandLine(), "--superpeers: '" + text
                    + "' is no address; allowed: host:port");
            }
            addresses.add(address);
        }
        return addresses;
    }

    private Secret secret(@Nullable ClusterFolder cluster) throws IOException {
        if (cluster != null) {
            return cluster.entrance().secret();
        }
        return secretFile == null ? Secret.NONE : Secret.read(secretFile);
    }

    private void print(PrintWriter out, ClusterStatus status) throws IOException {
        if (isJson) {
            JSON json = JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES);
            out.println((isWatching ? json : json.with(JSON.Feature.PRETTY_PRINT_OUTPUT)).asString(status.json()));
        } else {
            var console = System.console();
            if (isWatching && console != null && console.isTerminal()) {
                out.print(HOME_AND_CLEAR);
            }
            out.print(StatusText.of(status));
        }
        out.flush();
    }
}
