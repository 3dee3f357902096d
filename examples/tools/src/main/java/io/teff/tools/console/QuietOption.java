package io.teff.tools.console;

import picocli.CommandLine.Option;

/** The option of each command with progress: no progress. Commands mix this class in. */
public final class QuietOption {
    /** The name of the option. */
    public static final String NAME = "--quiet";

    @Option(names = NAME, description = "Do not show progress on standard error.")
    private boolean isSet;

    /** Makes the option. */
    public QuietOption() {}

    /** {@return whether the command shows no progress} */
    public boolean isSet() {
        return isSet;
    }
}
