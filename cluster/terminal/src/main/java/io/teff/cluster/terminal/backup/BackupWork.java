package io.teff.cluster.terminal.backup;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.admin.ClusterBackups;
import io.teff.cluster.admin.ClusterBackups.Progress;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.local.LocalCommand;
import io.teff.cluster.terminal.option.EntranceOptions;
import io.teff.cluster.terminal.shell.value.Json;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command for backups. Progress goes to standard error, once a second; the result goes to standard output. */
abstract class BackupWork extends LocalCommand {
    private static final long LINE_NS = TimeUnit.SECONDS.toNanos(1);

    @Mixin
    private EntranceOptions entrance = new EntranceOptions();

    @Option(names = "--json", description = "Write the result as one line of JSON.")
    private boolean isJson;

    private long lastNs = Clock.SYSTEM.nowNs();

    /** Does the work, and prints the result. Returns the exit code. */
    abstract int work(ClusterBackups backups) throws IOException;

    @Override
    public Integer call() {
        try {
            return work(ClusterBackups.load());
        } catch (IOException e) {
            throw new CommandFailure(FailureText.of(e), e);
        }
    }

    /** Returns how the cluster is reached. */
    final ClientConfig cluster() throws IOException {
        return entrance.isElsewhere() ? entrance.client(spec()) : folder().open().entrance().client();
    }

    /** Shows how far the work is. */
    final void progress(Progress now) {
        final long nowNs = Clock.SYSTEM.nowNs();
        if (nowNs - lastNs >= LINE_NS) {
            lastNs = nowNs;
            note(now.step() + ": " + now.done() + " of " + now.all() + ", " + now.chunks() + " chunks, "
                + (now.payloadBytes() >> 20) + " MiB");
        }
    }

    /** Prints the result as a text or as JSON. */
    final void result(Object record, String text) {
        print(isJson ? Json.of(Json.plain(record)) : text);
    }
}
