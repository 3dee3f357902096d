package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.MoveRefusedException;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code cluster forget}: gives back the NID of a peer that is gone for good. */
@Command(
    name = "forget",
    description = {"Says that the folder of an ended peer is gone for good.",
        "Its NID is given back, and the status shows it no more. A folder that comes back all the same joins as a new "
            + "peer. Refused while a zone needs a copy of the peer: start the peer, or give the copy up by ./teff "
            + "cluster accept-loss."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the peer is forgotten", "1:there is no such peer, or no superpeer answers",
        "2:wrong command line", "4:the peer runs, or a zone needs its copy"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff cluster forget 18",
    sortOptions = false)
public final class ForgetCommand extends ClusterChange {
    @Parameters(paramLabel = "NODE", description = "The peer: its name or NID.")
    private String node = "";

    @Option(names = "--json", description = "Write JSON.")
    private boolean isJson;

    @Override
    int run(ClusterAdmin admin) throws IOException {
        int nid = peer(status(admin), node);
        MoveRefusedException refusal = null;
        try {
            admin.moves().forget(nid, patienceNs());
        } catch (MoveRefusedException e) {
            if (e.reason() != MoveRefusedException.Reason.STILL_RUNNING
                && e.reason() != MoveRefusedException.Reason.COPY_NEEDED) {
                throw e;
            }
            refusal = e;
        }
        if (isJson) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("nid", nid);
            document.put("isForgotten", refusal == null);
            document.put("reason", refusal == null ? null : refusal.reason().name());
            document.put("text", refusal == null ? null : FailureText.of(refusal));
            print(document);
        } else if (refusal == null) {
            print("peer " + nid + " is forgotten");
        } else {
            note("peer " + nid + " is not forgotten: " + FailureText.of(refusal));
        }
        return refusal == null ? 0 : DrainCommand.REFUSED;
    }
}
