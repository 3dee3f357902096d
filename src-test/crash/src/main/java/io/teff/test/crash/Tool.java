package io.teff.test.crash;

import java.io.IOException;
import java.util.List;

/** Programs of the machine that parts of a run need. */
final class Tool {
    private Tool() {}

    /** Runs a command without output; true if it is there and ends well. */
    static boolean run(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(List.of(command)).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
        } catch (IOException _) {
            return false;                                       // there is no such program
        }
    }
}
