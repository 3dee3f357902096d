package io.teff.cluster.terminal.cli;

import io.teff.cluster.MissingRightException;
import io.teff.cluster.terminal.backup.ClusterBackupCommand;
import io.teff.cluster.terminal.backup.ClusterVerifyCommand;
import io.teff.cluster.terminal.backup.ExportCommand;
import io.teff.cluster.terminal.backup.ImportCommand;
import io.teff.cluster.terminal.backup.RestoreCommand;
import io.teff.cluster.terminal.demo.ClusterDemoCommand;
import io.teff.cluster.terminal.local.AcceptLossCommand;
import io.teff.cluster.terminal.local.AccessCommand;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.local.DownCommand;
import io.teff.cluster.terminal.local.DrainCommand;
import io.teff.cluster.terminal.local.ForecastCommand;
import io.teff.cluster.terminal.local.ForgetCommand;
import io.teff.cluster.terminal.local.KillCommand;
import io.teff.cluster.terminal.local.LogsCommand;
import io.teff.cluster.terminal.local.RebalanceCommand;
import io.teff.cluster.terminal.local.RebuildCommand;
import io.teff.cluster.terminal.local.RollCommand;
import io.teff.cluster.terminal.local.RotateCommand;
import io.teff.cluster.terminal.local.StartCommand;
import io.teff.cluster.terminal.local.SuperpeersCommand;
import io.teff.cluster.terminal.local.SuperviseCommand;
import io.teff.cluster.terminal.local.UpCommand;
import io.teff.cluster.terminal.option.HelpOption;
import io.teff.cluster.terminal.status.StatusCommand;
import io.teff.engine.os.FailureText;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine;

/** The command {@code cluster}: the parent of all commands for a cluster. */
@Command(
    name = "cluster",
    description = {"Runs a cluster on this machine, a process for each node, and looks at clusters.",
        "A cluster lives in a folder, by default teff-cluster."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:success", "1:something is in the way; the message says what", "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff cluster up && ./teff cluster status",
    subcommands = {UpCommand.class, StatusCommand.class, KillCommand.class, StartCommand.class, LogsCommand.class,
        DownCommand.class, SuperpeersCommand.class, DrainCommand.class, RebalanceCommand.class, RollCommand.class,
        ForgetCommand.class, ForecastCommand.class, AccessCommand.class, RotateCommand.class,
        AcceptLossCommand.class, RebuildCommand.class,
        ClusterBackupCommand.class, ClusterVerifyCommand.class, RestoreCommand.class, ImportCommand.class,
        ExportCommand.class,
        ClusterDemoCommand.class, SuperviseCommand.class},
    sortOptions = false)
public final class ClusterCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private HelpOption help = new HelpOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Refuses a command line without a subcommand. */
    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(),
            "name up, status, kill, start, logs, down, superpeers, drain, rebalance, roll, forget, plan, "
                + "access, rotate, accept-loss, rebuild, backup, verify, restore, import, export, demo or exec, "
                + "or use --help");
    }

    /** Prints why a command has failed; returns the exit code. Other exceptions are faults of the program. */
    static int explain(Exception failure, CommandLine line) throws Exception {
        if (!(failure instanceof CommandFailure || failure instanceof MissingRightException)) {
            throw failure;
        }
        PrintWriter err = line.getErr();
        err.println(line.getCommandSpec().qualifiedName() + ": " + FailureText.of(failure));
        err.flush();
        return 1;
    }
}
