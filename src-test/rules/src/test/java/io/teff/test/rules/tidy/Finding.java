package io.teff.test.rules.tidy;

import java.util.Collection;
import java.util.stream.Collectors;

/** One place that breaks one rule. */
record Finding(String file, int line, String message) {
    @Override
    public String toString() {
        return file + ":" + line + ": " + message;
    }

    /** One finding per line, for the message of an assertion. */
    static String list(Collection<Finding> findings) {
        return findings.stream().map(Finding::toString).collect(Collectors.joining("\n", "\n", "\n"));
    }
}
