package io.teff.cluster.terminal.local;

import io.teff.cluster.terminal.option.HelpOption;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options of all commands of {@code cluster}: the help, and the folder. */
public final class FolderOption extends HelpOption {
    @Option(names = "--dir", paramLabel = "DIR", defaultValue = "teff-cluster",
        description = "Folder of the cluster. Default: ${DEFAULT-VALUE}.")
    private Path path = Path.of("teff-cluster");

    /** {@return the folder} */
    public Path path() {
        return path;
    }

    /** {@return the option in the command lines that a message proposes; empty for the default folder} */
    public String text() {
        return path.equals(Path.of("teff-cluster")) ? "" : " --dir " + path;
    }

    /**
     * {@return the cluster in the folder}
     *
     * @throws CommandFailure if the folder has no cluster
     */
    public ClusterFolder open() {
        return ClusterFolder.open(path);
    }
}
