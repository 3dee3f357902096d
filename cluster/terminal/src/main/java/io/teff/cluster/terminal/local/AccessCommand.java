package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterAdmin.NodeAccess;
import io.teff.cluster.admin.ClusterStatus.Member;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code cluster access}: the roles of each node, and the rights of the asking process. */
@Command(
    name = "access",
    description = {"Shows the roles of each node, the step of a replacement of the secret, and what this process is "
        + "for the node.",
        "With --secret-file, the token of a principal shows the principal. Nodes with different roles have "
            + "different digests."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:all nodes have answered, with the same roles", "1:no superpeer answers", "2:wrong command line",
        "4:a node has not answered, or nodes have different roles"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff cluster access --superpeers 10.0.0.1:7400 --secret-file tokens/reporting",
    sortOptions = false)
public final class AccessCommand extends ClusterChange {
    private static final int UNEQUAL = 4;

    @Option(names = "--json", description = "Write JSON.")
    private boolean isJson;

    @Override
    int run(ClusterAdmin admin) throws IOException {
        List<Member> living = status(admin).nodes().stream().filter(Member::isAlive).toList();
        List<NodeAccess> found = admin.access();
        boolean isEqual = found.size() == living.size()
            && found.stream().map(NodeAccess::state).distinct().count() == 1;
        if (isJson) {
            List<Map<String, Object>> nodes = new ArrayList<>();
            for (NodeAccess each : found) {
                Map<String, Object> node = new LinkedHashMap<>();
                node.put("nid", each.life().nid());
                node.put("caller", each.caller());
                node.put("state", each.state());
                nodes.add(node);
            }
            print(Map.of("isEqual", isEqual, "nodes", nodes));
        } else {
            found.forEach(each -> print("node " + each.life().nid() + ": " + each.state() + "; you are "
                + each.caller()));
        }
        return isEqual ? 0 : UNEQUAL;
    }
}
