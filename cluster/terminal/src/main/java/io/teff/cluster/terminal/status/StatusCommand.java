package io.teff.cluster.terminal.status;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.cluster.ClientConfig;
import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.OptionValue;
import io.teff.cluster.terminal.local.ClusterFolder;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.local.LocalCommand;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The command {@code cluster status}. */
@Command(
    name = "status",
    description = {"Shows the nodes of a cluster, their leases, memory and logs, and the zones by their states.",
        "NID has the number of the node's life behind it. ZONES are those that a node owns, BACKUPS those of which it "
            + "keeps a copy."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:a superpeer answers", "1:none answers, or there is no cluster", "2:wrong command line",
        "3:zones are lost, or wait for copies that have not come back",
        "4:zones have no backup although there are peers for it"},
    footerHeading = "%nExamples:%n",
    footer = {"  ./teff cluster status --watch", "  ./teff cluster status --superpeers 10.0.0.1:7400 --json"},
    sortOptions = false)
public final class StatusCommand extends LocalCommand {
    private static final long WATCH_NS = TimeUnit.MILLISECONDS.toNanos(500);

    @Option(names = "--superpeers", paramLabel = "HOST:PORT", split = ",",
        description = "Superpeers of a cluster that has no folder on this machine; one of them is enough.")
    private @Nullable List<String> superpeers;

    @Option(names = "--secret-file", paramLabel = "FILE", description = "File with the secret of such a cluster.")
    private @Nullable Path secretFile;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "File with a key, if such a cluster uses TLS.")
    private @Nullable Path tlsKey;

    @Option(names = "--tls-certificate", paramLabel = "FILE", description = "File with the certificate of the key.")
    private @Nullable Path tlsCertificate;

    @Option(names = "--tls-authority", paramLabel = "FILE", description = "File with the authorities to be trusted.")
    private @Nullable Path tlsAuthority;

    @Option(names = "--tls-superpeer-name", paramLabel = "NAME", defaultValue = "",
        description = "Name that the certificates of superpeers must have. By default any trusted certificate does.")
    private String tlsSuperpeerName = "";

    @Option(names = "--all", description = "Show also expired nodes without zones and copies. JSON always has them.")
    private boolean isAll;

    @Option(names = {"-w", "--watch"}, description = "Show it twice a second, until q is pressed or the command is "
        + "ended.")
    private boolean isWatching;

    @Option(names = "--json", description = "Write JSON: with --watch a document per line, else one, indented.")
    private boolean isJson;

    @Override
    public Integer call() {
        try {
            if (superpeers == null) {
                ClusterFolder cluster = folder().open();
                try (ClusterAdmin admin = cluster.entrance().connect()) {
                    return show(new StatusReader(cluster, admin));
                }
            }
            try (ClusterAdmin admin = ClusterAdmin.connect(client(superpeers))) {
                return show(new StatusReader(null, admin));
            }
        } catch (IOException e) {
            throw new CommandFailure("the status cannot be read: " + FailureText.of(e), e);
        }
    }

    private int show(StatusReader reader) throws IOException {
        return (isWatching ? watch(reader) : print(reader.read())).exitCode();
    }

    private ClientConfig client(List<String> addresses) throws IOException {
        if (addresses.isEmpty()) {
            throw new ParameterException(spec().commandLine(), "--superpeers names no address");
        }
        for (String address : addresses) {
            if (!OptionValue.of(address).isAddress()) {
                throw new ParameterException(spec().commandLine(), "--superpeers: '" + address
                    + "' is no address; allowed: host:port, also with tcp: or ucx: in front");
            }
        }
        ClientConfig.Builder client = builder(addresses.toArray(String[]::new));
        client = secretFile == null ? client : client.secret(secretFile);
        if (tlsKey == null && tlsCertificate == null && tlsAuthority == null) {
            if (!tlsSuperpeerName.isEmpty()) {
                throw new ParameterException(spec().commandLine(), "--tls-superpeer-name needs --tls-key");
            }
            return client.build();
        }
        if (tlsKey == null || tlsCertificate == null || tlsAuthority == null) {
            throw new ParameterException(spec().commandLine(),
                "TLS needs --tls-key, --tls-certificate and --tls-authority");
        }
        try {
            client.superpeerName(tlsSuperpeerName);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), "--tls-superpeer-name: " + FailureText.of(e), e);
        }
        return client.tls(tlsKey, tlsCertificate, tlsAuthority).build();
    }

    private ClientConfig.Builder builder(String... addresses) {
        try {
            return ClientConfig.builder(addresses);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), "--superpeers: " + FailureText.of(e), e);
        }
    }

    // ---- output ----

    private StatusView print(StatusView status) throws IOException {
        out().print(isJson ? json(status, true) : StatusText.of(status, isAll));
        out().flush();
        return status;
    }

    private StatusView watch(StatusReader reader) throws IOException {
        boolean isTerminal = !isJson && Screen.isTerminal();
        try (Screen screen = isTerminal ? Screen.open() : Screen.none()) {
            StatusView status = reader.read();
            show(status, screen);
            while (!screen.isLeft(WATCH_NS) && !out().checkError()) {
                status = reader.read();
                show(status, screen);
            }
            return status;
        }
    }

    private void show(StatusView status, Screen screen) throws IOException {
        String time = Instant.ofEpochMilli(Clock.SYSTEM.epochMs()).truncatedTo(ChronoUnit.SECONDS).toString();
        out().print(isJson ? json(status, false) : screen.frame(time + "\n" + StatusText.of(status, isAll)));
        out().flush();
    }

    private static String json(StatusView status, boolean isIndented) throws IOException {
        JSON json = JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES);
        return (isIndented ? json.with(JSON.Feature.PRETTY_PRINT_OUTPUT) : json).asString(status.json()) + "\n";
    }
}
