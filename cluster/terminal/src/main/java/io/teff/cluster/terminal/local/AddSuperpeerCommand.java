package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.ClusterAdmin;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code cluster superpeers add}. */
@Command(
    name = "add",
    description = {"Adds a superpeer, and waits until it counts.",
        "Without an address, a superpeer on this machine is made and started. With an address, the command prints the "
            + "number and the configuration of the node to be started there."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the superpeer counts", "1:the change is refused; the message says why", "2:wrong command line",
        "3:the superpeer is in the tables, and does not count yet"},
    footerHeading = "%nExamples:%n",
    footer = {"  ./teff cluster superpeers add",
        "  ./teff cluster superpeers add 10.0.0.4:7400 --superpeers 10.0.0.1:7400 --secret-file secret"},
    sortOptions = false)
public final class AddSuperpeerCommand extends SuperpeerChange {
    @Parameters(paramLabel = "ADDRESS", arity = "0..1", description = "Listening address of the new superpeer.")
    private @Nullable String address;

    @Override
    int run(ClusterAdmin admin) throws IOException {
        return add(admin, address);
    }
}
