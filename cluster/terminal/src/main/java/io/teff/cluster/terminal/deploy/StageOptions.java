package io.teff.cluster.terminal.deploy;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that choose a version. */
final class StageOptions {
    @Option(names = "--packages", paramLabel = "FOLDER",
        description = "Take the jars of Teff from a folder that ./teff package has filled. Default: what is built "
            + "here.")
    private @Nullable Path packages;

    /** Gathers the version of this program. */
    VersionStage stage() {
        return VersionStage.ofThisProgram(packages);
    }
}
