package io.teff.cluster.terminal.deploy;

import java.io.IOException;
import picocli.CommandLine.Command;

/** The command {@code deploy check}. */
@Command(
    name = "check",
    description = {"Checks the hosts of a file: Java, tools, disk, clock, limits, memory, free ports, and whether the "
        + "hosts reach each other. Changes nothing. Each finding has a line that says how to mend it."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the hosts are ready, perhaps with warnings", "1:faults were found, or a host is not reached",
        "2:wrong command line or file"},
    sortOptions = false)
final class CheckHostsCommand extends HostsCommand {
    @Override
    int run(Fleet fleet) throws IOException {
        HostCheck check = new HostCheck(fleet);
        check.run();
        print(check.document(), String.join("\n", check.lines()));
        return check.hasFaults() ? 1 : 0;
    }
}
