package io.teff.test.crash;

import java.io.IOException;
import java.util.List;

/** System programs that parts of a run need. */
final class Tool {
    private Tool() {}

    /** Runs a command without output; returns true if it exists and succeeds. */
    static boolean run(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(List.of(command)).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
        } catch (IOException _) {
            return false;                                       // there is no such program
        }
    }
}
