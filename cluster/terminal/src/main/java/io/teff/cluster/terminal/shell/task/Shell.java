package io.teff.cluster.terminal.shell.task;

import java.util.List;

/** The shell as its commands see it: the object of the root of the command line. */
interface Shell {
    /** Returns the session, which has the cluster and the output. */
    ShellSession session();

    /**
     * Runs a command inside of a command.
     *
     * @param words the words of the command
     * @return the exit code
     */
    int run(List<String> words);
}
