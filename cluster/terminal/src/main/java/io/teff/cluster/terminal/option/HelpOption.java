package io.teff.cluster.terminal.option;

import picocli.CommandLine.Option;

/** The option of every command: its help. Commands mix this class in, alone or extended. */
public class HelpOption {
    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private boolean isAsked;

    /** Makes the option. */
    public HelpOption() {}
}
