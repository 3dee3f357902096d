package io.teff.cluster.terminal.local;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.terminal.config.AddressText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code cluster superpeers}: lists the superpeers; its subcommands change them. */
@Command(
    name = "superpeers",
    description = {"Lists the superpeers of a cluster; add, remove and replace change them while the cluster runs.",
        "A cluster of 3 superpeers goes on after the loss of 1, a cluster of 5 after the loss of 2. An even number "
            + "bears no more losses than the odd number below."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:success", "1:no superpeer answers, or the change is refused; the message says why",
        "2:wrong command line", "3:a change has begun, and is not complete yet"},
    footerHeading = "%nExamples:%n",
    footer = {"  ./teff cluster superpeers add", "  ./teff cluster superpeers replace superpeer-2",
        "  ./teff cluster superpeers remove 3 --superpeers 10.0.0.1:7400 --secret-file secret"},
    subcommands = {AddSuperpeerCommand.class, RemoveSuperpeerCommand.class, ReplaceSuperpeerCommand.class},
    sortOptions = false)
public final class SuperpeersCommand extends SuperpeerChange {
    @Option(names = "--json", description = "Write JSON.")
    private boolean isJson;

    @Override
    int run(ClusterAdmin admin) throws IOException {
        ClusterStatus status = admin.status();
        if (!status.isAnswering()) {
            throw new CommandFailure("no superpeer answers: " + status.problem());
        }
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Member node : superpeers(status)) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("number", number(node));
            row.put("address", AddressText.of(node.address()));
            row.put("counts", node.isAlive());
            row.put("answers", node.status() != null);
            row.put("leads", node.status() != null && node.status().standing().isLeading());
            rows.add(row);
        }
        if (isJson) {
            print(JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(rows));
            return 0;
        }
        print("NUMBER  ADDRESS                STATE");
        rows.forEach(row -> print(String.format("%-6s  %-21s  %s", row.get("number"), row.get("address"),
            (Boolean.TRUE.equals(row.get("counts")) ? "counts" : "is being added or removed")
                + (Boolean.TRUE.equals(row.get("leads")) ? ", leads" : "")
                + (Boolean.TRUE.equals(row.get("answers")) ? "" : ", does not answer"))));
        return 0;
    }

    /** Returns the superpeers of a status. */
    static List<Member> superpeers(ClusterStatus status) {
        return status.nodes().stream().filter(node -> node.role() == NodeRole.SUPERPEER).toList();
    }

    /** Returns the number of a superpeer. */
    static int number(Member superpeer) {
        return superpeer.life().nid() - 1;
    }
}
