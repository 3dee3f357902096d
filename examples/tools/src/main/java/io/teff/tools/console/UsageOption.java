package io.teff.tools.console;

import picocli.CommandLine.Option;

/** The option of each command: the help of the command. Commands mix this class in. */
public final class UsageOption {
    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private boolean isAsked;

    /** Makes the option. */
    public UsageOption() {}
}
