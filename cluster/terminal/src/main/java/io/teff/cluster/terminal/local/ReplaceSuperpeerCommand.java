package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.Member;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code cluster superpeers replace}. */
@Command(
    name = "replace",
    description = {"Replaces a superpeer that is gone for good, or shall go, by a new one with another number.",
        "A superpeer that has only lost its disk needs no replacement: start it with an empty folder.",
        "With fewer than five superpeers the new one is added first; else the old one is removed first."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the superpeer is replaced", "1:the change is refused; the message says why",
        "2:wrong command line", "3:a step has begun, and is not complete yet; repeat it by add or remove"},
    footerHeading = "%nExamples:%n",
    footer = {"  ./teff cluster superpeers replace superpeer-2",
        "  ./teff cluster superpeers replace 1 10.0.0.4:7400 --superpeers 10.0.0.1:7400 --secret-file secret"},
    sortOptions = false)
public final class ReplaceSuperpeerCommand extends SuperpeerChange {
    private static final int MOST = 5;

    @Parameters(index = "0", paramLabel = "SUPERPEER", description = "Name of the node, or number of the superpeer.")
    private String name = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "ADDRESS",
        description = "Listening address of the new superpeer. Default: the new superpeer runs on this machine.")
    private @Nullable String address;

    @Override
    int run(ClusterAdmin admin) throws IOException {
        ClusterStatus status = status(admin);
        Member old = member(status, name);
        if (status.superpeers().size() < MOST) {
            int code = add(admin, address);
            return code == 0 ? remove(admin, old) : code;
        }
        int code = remove(admin, old);
        return code == 0 ? add(admin, address) : code;
    }
}
