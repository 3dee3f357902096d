package io.teff.cluster.terminal.deploy;

import io.teff.cluster.terminal.option.HelpOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code deploy}: the parent of all commands for clusters on several machines. */
@Command(
    name = "deploy",
    description = {"Runs a cluster on several machines by ssh, and writes files for systemd, containers and "
        + "Kubernetes. Needs keys of ssh and a file that names the hosts. docs/DEPLOY.md has an example."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:success", "1:something is in the way; the message says what", "2:wrong command line or file"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff deploy check hosts.toml && ./teff deploy up hosts.toml",
    subcommands = {CheckHostsCommand.class, InstallCommand.class, ConfigureCommand.class, StartHostsCommand.class,
        UpHostsCommand.class, HostStatusCommand.class, RollHostsCommand.class, HostLogsCommand.class,
        StopHostsCommand.class, RemoveHostsCommand.class, SystemdCommand.class, ContainerCommand.class,
        KubernetesCommand.class},
    sortOptions = false)
public final class DeployCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private HelpOption help = new HelpOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Makes the command. */
    public DeployCommand() {}

    /** Refuses a command line without a subcommand. */
    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "name check, install, configure, start, up, status, roll, "
            + "logs, stop, remove, systemd, container or kubernetes, or use --help");
    }
}
