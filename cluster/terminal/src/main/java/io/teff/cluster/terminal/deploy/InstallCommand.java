package io.teff.cluster.terminal.deploy;

import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code deploy install}. */
@Command(
    name = "install",
    description = {"Copies this version of Teff to the hosts, into a folder named after its bytes. A folder of a "
        + "version is whole or not there, and never changes. No node is touched.",
        "Prints the name of the version."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:all hosts have the version", "1:a host is not reached, or a file was damaged on the way",
        "2:wrong command line or file"},
    sortOptions = false)
final class InstallCommand extends HostsCommand {
    @Mixin
    private StageOptions options = new StageOptions();

    @Override
    int run(Fleet fleet) throws IOException {
        try (VersionStage stage = options.stage()) {
            fleet.install(stage);
            print(Map.of("version", stage.version()), stage.version());
        }
        return 0;
    }
}
