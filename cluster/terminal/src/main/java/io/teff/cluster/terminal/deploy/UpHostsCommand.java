package io.teff.cluster.terminal.deploy;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code deploy up}. */
@Command(
    name = "up",
    description = {"Does check, install, configure and start, one after the other. Ends before install if the check "
        + "finds a fault. Does no harm to a cluster that runs."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:all nodes are ready", "1:a host has a fault or is not reached, or a node is not ready in time",
        "2:wrong command line or file"},
    sortOptions = false)
final class UpHostsCommand extends HostsCommand {
    @Mixin
    private StageOptions options = new StageOptions();

    @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "120",
        description = "How long to wait until nodes are ready. Default: ${DEFAULT-VALUE}.")
    private int timeoutS = 120;

    @Override
    int run(Fleet fleet) throws IOException {
        HostCheck check = new HostCheck(fleet);
        check.run();
        check.lines().forEach(this::note);
        if (check.hasFaults()) {
            return 1;
        }
        Map<String, Object> document = new LinkedHashMap<>();
        try (VersionStage stage = options.stage()) {
            fleet.install(stage);
            fleet.configure();
            FleetStart.start(fleet, fleet.deployment().nodes(), stage.version(), timeoutS, this::note);
            document.put("version", stage.version());
        }
        document.put("superpeers", fleet.deployment().superpeers());
        print(document, "the cluster runs; its superpeers: " + String.join(",", fleet.deployment().superpeers()));
        return 0;
    }
}
