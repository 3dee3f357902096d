package io.teff.test.nio.programs;

import io.teff.nio.selector.TeffSelectorProvider;
import java.io.IOException;
import java.nio.channels.spi.SelectorProvider;

/** What a process tells its test: lines on standard output that begin with a word. Standard input ends to stop it. */
final class Told {
    static final String READY = "READY";
    static final String COUNTS = "COUNTS";
    static final String DONE = "DONE";

    private Told() {}

    /** Prints a line. */
    static void line(String word, Object text) {
        System.out.println(word + " " + text);
    }

    /** Waits until the test ends the standard input, or has ended itself. */
    static void awaitStop() throws IOException {
        while (System.in.read() >= 0) {
            assert System.in != null;                           // what is read has no meaning
        }
    }

    /** Prints the number of connections by way and reason. Without the provider there are none. */
    static void counts() {
        if (SelectorProvider.provider() instanceof TeffSelectorProvider teff) {
            line(COUNTS, teff.counts() + (teff.lastFailure() == null ? "" : " failure " + teff.lastFailure()));
        } else {
            line(COUNTS, "{}");
        }
    }

    /** {@return whether some seconds have passed since a time} */
    static boolean isOver(long beginNs, int seconds) {
        return System.nanoTime() - beginNs >= seconds * 1_000_000_000L;
    }
}
