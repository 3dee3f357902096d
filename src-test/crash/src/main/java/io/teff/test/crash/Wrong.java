package io.teff.test.crash;

import java.util.Locale;

/**
 * A violation.
 *
 * @param kind its kind
 * @param text its description
 */
record Wrong(Kind kind, String text) {
    private static final String WORD = "WRONG ";

    /** The kinds of violations, as the parent counts them. */
    enum Kind {
        /** An acknowledged change, or one that was read, is missing. */
        LOST,
        /** Bytes that were never written, or a mix of two changes. */
        TORN,
        /** Data whose removal was acknowledged. */
        REVIVED,
        /** A CID was issued twice. */
        REISSUED,
        /** An audit failed, or a call behaved incorrectly. */
        AUDIT,
        /** The folder is larger than its live bytes justify. */
        FOLDER,
        /** A full disk is a trap: removals are refused, or the store cannot be closed or opened. */
        TRAPPED,
        /** A wait did not end. */
        HANG,
        /** The process ended unexpectedly. */
        DIED
    }

    /** Returns the line by which the child reports it to its parent. */
    String line() {
        return WORD + kind + " " + text;
    }

    static boolean isLine(String line) {
        return line.startsWith(WORD);
    }

    static Wrong parse(String line) {
        final String[] words = line.split(" ", 3);
        return new Wrong(Kind.valueOf(words[1]), words[2]);
    }

    @Override
    public String toString() {
        return kind.name().toLowerCase(Locale.ROOT) + ": " + text;
    }
}
