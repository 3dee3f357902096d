package io.teff.cluster.terminal.deploy;

import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;

/** The command {@code deploy configure}. */
@Command(
    name = "configure",
    description = {"Writes the configurations of all nodes, with the secret and the files of TLS, and the units of "
        + "systemd. Running nodes take a new configuration at their next start, for instance by ./teff deploy roll "
        + "--restart."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:all configurations are written", "1:a host is not reached, or has no Java",
        "2:wrong command line or file"},
    sortOptions = false)
final class ConfigureCommand extends HostsCommand {
    @Override
    int run(Fleet fleet) throws IOException {
        fleet.configure();
        int count = fleet.deployment().nodes().size();
        print(Map.of("nodes", count), "configured " + count + " nodes");
        return 0;
    }
}
