package io.teff.tools.log;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code log} command: holds those that look at a log on disk. */
@Command(
    name = "log",
    description = {
        "Looks at the folder of a log that nobody has open: what is in it, what of it is damaged.",
        "Reading changes nothing; a log that is open is refused, and the process named that has it."},
    subcommands = {InspectCommand.class, VerifyCommand.class, RepairCommand.class},
    sortOptions = false)
public final class LogCommand implements Callable<Integer> {
    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // the library reads it
    private boolean helpRequested;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Reached only when no subcommand was named. */
    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "name inspect, verify or repair, or use --help");
    }
}
