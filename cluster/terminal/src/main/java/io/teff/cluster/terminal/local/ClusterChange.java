package io.teff.cluster.terminal.local;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.terminal.option.EntranceOptions;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that changes the cluster of a folder, or a cluster that is named by addresses. */
abstract class ClusterChange extends LocalCommand {
    /** Exit code of a change that has begun and goes on. */
    static final int UNFINISHED = 3;

    @Mixin
    private EntranceOptions entrance = new EntranceOptions();

    @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "120",
        description = "How long to wait for a change. Default: ${DEFAULT-VALUE}.")
    private int timeoutS = 120;

    private @Nullable ClusterFolder cluster;

    @Override
    public final Integer call() {
        try {
            if (entrance.isElsewhere()) {
                try (ClusterAdmin admin = entrance.connect(spec())) {
                    return run(admin);
                }
            }
            ClusterFolder opened = folder().open();
            cluster = opened;
            try (ClusterAdmin admin = opened.entrance().connect()) {
                return run(admin);
            }
        } catch (IOException e) {
            throw new CommandFailure(FailureText.of(e), e);
        }
    }

    /** Does the work; returns the exit code. */
    abstract int run(ClusterAdmin admin) throws IOException;

    /** Returns the cluster of this machine, or null if the cluster is elsewhere. */
    final @Nullable ClusterFolder cluster() {
        return cluster;
    }

    final long patienceNs() {
        return TimeUnit.SECONDS.toNanos(timeoutS);
    }

    /** Returns a status with an answer of the superpeers. */
    static ClusterStatus status(ClusterAdmin admin) {
        ClusterStatus status = admin.status();
        if (!status.isAnswering()) {
            throw new CommandFailure("no superpeer answers: " + status.problem());
        }
        return status;
    }

    /**
     * Returns the NID of a peer that a person names by its NID, by the name in its configuration, or by the name of its
     * folder.
     */
    final int peer(ClusterStatus status, String text) {
        LocalNode here = cluster == null ? null : cluster.nodes().stream().filter(node -> node.name().equals(text)
            && !node.isSuperpeer()).findAny().orElse(null);
        NodeLife life = here == null ? null : here.life();
        if (life != null) {
            return life.nid();
        }
        for (Member node : status.nodes()) {
            boolean isNamed = text.equals(String.valueOf(node.life().nid()))
                || node.status() != null && node.status().name().equals(text)
                || here != null && here.config().listen().equals(node.address());
            if (node.role() == NodeRole.PEER && isNamed) {
                return node.life().nid();
            }
        }
        throw new CommandFailure("there is no peer " + text + "; ./teff cluster status lists the peers");
    }

    /** Prints a document. */
    final void print(Map<String, ?> document) throws IOException {
        print(JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).with(JSON.Feature.WRITE_NULL_PROPERTIES)
            .asString(document));
    }
}
