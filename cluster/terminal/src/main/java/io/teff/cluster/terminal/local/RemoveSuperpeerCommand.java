package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.ClusterAdmin;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code cluster superpeers remove}. */
@Command(
    name = "remove",
    description = {"Removes a superpeer, whether it runs or not, and waits until it is removed.",
        "A superpeer on this machine is ended, and its folder is kept under another name."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the superpeer is removed", "1:the change is refused; the message says why",
        "2:wrong command line", "3:the superpeer is to be removed, and still counts"},
    footerHeading = "%nExamples:%n",
    footer = {"  ./teff cluster superpeers remove superpeer-3",
        "  ./teff cluster superpeers remove 2 --superpeers 10.0.0.1:7400 --secret-file secret"},
    sortOptions = false)
public final class RemoveSuperpeerCommand extends SuperpeerChange {
    @Parameters(paramLabel = "SUPERPEER", description = "Name of the node, or number of the superpeer.")
    private String name = "";

    @Override
    int run(ClusterAdmin admin) throws IOException {
        return remove(admin, member(status(admin), name));
    }
}
