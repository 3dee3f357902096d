package io.teff.cluster.terminal.deploy;

import io.teff.cluster.terminal.option.HelpOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code deploy systemd}. */
@Command(
    name = "systemd",
    description = {"Prints a unit of systemd that runs one node of a machine, for /etc/systemd/system. ./teff deploy "
        + "configure writes units of users by itself."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the unit is printed", "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff deploy systemd --config /etc/teff/peer.toml > /etc/systemd/system/teff-peer.service",
    sortOptions = false)
final class SystemdCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private HelpOption help = new HelpOption();

    @Option(names = "--user", paramLabel = "NAME", defaultValue = "teff",
        description = "User and group of the node. Default: ${DEFAULT-VALUE}.")
    private String user = "";

    @Option(names = "--java", paramLabel = "FOLDER", defaultValue = "/usr/lib/jvm/temurin-25",
        description = "Home of Java. Default: ${DEFAULT-VALUE}.")
    private String java = "";

    @Option(names = "--home", paramLabel = "FOLDER", defaultValue = "/opt/teff",
        description = "Folder of the program, with the jars in its folder lib. Default: ${DEFAULT-VALUE}.")
    private String home = "";

    @Option(names = "--config", paramLabel = "FILE", defaultValue = "/etc/teff/node.toml",
        description = "Configuration of the node. Default: ${DEFAULT-VALUE}.")
    private String config = "";

    @Option(names = "--data", paramLabel = "FOLDER", defaultValue = "/var/lib/teff",
        description = "Folder that the node may write: its data and its log. Default: ${DEFAULT-VALUE}.")
    private String data = "";

    @Option(names = "--heap", paramLabel = "SIZE", defaultValue = "512m",
        description = "Java heap of the node. Default: ${DEFAULT-VALUE}.")
    private String heap = "";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        spec.commandLine().getOut().print(SystemdUnit.ofMachine(user, java, home, config, data, heap));
        spec.commandLine().getOut().flush();
        return 0;
    }
}
