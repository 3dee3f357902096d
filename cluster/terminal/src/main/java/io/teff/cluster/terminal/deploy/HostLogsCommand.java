package io.teff.cluster.terminal.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code deploy logs}. */
@Command(
    name = "logs",
    description = {"Prints the last lines of the logs of nodes, and of what their JVMs have printed. With --to, writes "
        + "the whole logs and configurations of each host to an archive; secrets and keys stay at the hosts."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:success", "1:a host is not reached", "2:wrong command line or file"},
    sortOptions = false)
final class HostLogsCommand extends HostsCommand {
    @Option(names = "--node", paramLabel = "NODE", split = ",", description = "Only these nodes.")
    private List<String> names = List.of();

    @Option(names = {"-n", "--lines"}, paramLabel = "N", defaultValue = "40",
        description = "Number of lines. Default: ${DEFAULT-VALUE}.")
    private int lines = 40;

    @Option(names = "--to", paramLabel = "FOLDER", description = "Write an archive HOST.tar for each host here.")
    private @Nullable Path folder;

    @Override
    int run(Fleet fleet) throws IOException {
        if (folder != null) {
            fleet.collect(Files.createDirectories(folder));
            print(Map.of("folder", folder.toString()), "the logs are in " + folder);
            return 0;
        }
        Map<String, Object> document = new LinkedHashMap<>();
        StringBuilder text = new StringBuilder();
        for (NodePlan node : nodes(fleet, names)) {
            List<String> each = fleet.logs(node, Math.max(0, lines));
            document.put(node.name(), each);
            each.forEach(line -> text.append(node.name()).append(' ').append(line).append('\n'));
        }
        print(document, text.toString().stripTrailing());
        return 0;
    }
}
