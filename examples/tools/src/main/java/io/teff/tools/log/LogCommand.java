package io.teff.tools.log;

import io.teff.tools.console.UsageOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code log} command: the parent of the commands that inspect, verify and repair a log on disk. */
@Command(
    name = "log",
    description = {
        "Inspects, verifies or repairs the log in a folder.",
        "The log must not be open; the message names the process that has it open. inspect and verify change "
            + "nothing."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:success", "1:there is no log, it is open, or it cannot be read", "2:wrong command line",
        "3:something is damaged"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff log verify data",
    subcommands = {InspectCommand.class, VerifyCommand.class, RepairCommand.class},
    sortOptions = false)
public final class LogCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private UsageOption usage = new UsageOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Refuses a command line that names no subcommand. */
    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "name inspect, verify or repair, or use --help");
    }
}
