package io.teff.test.crash;

import java.util.Locale;

/**
 * Something that must not be.
 *
 * @param kind what sort of thing
 * @param text what it is
 */
record Wrong(Kind kind, String text) {
    private static final String WORD = "WRONG ";

    /** The sorts of things that must not be, as the parent counts them. */
    enum Kind {
        /** An acknowledged change, or one that somebody has seen, is gone. */
        LOST,
        /** Bytes that nobody wrote, or of two changes. */
        TORN,
        /** Something whose removal was acknowledged. */
        REVIVED,
        /** A CID was given out twice. */
        REISSUED,
        /** An audit has found something, or a call did what it must not. */
        AUDIT,
        /** No end of a wait. */
        HANG,
        /** The process has ended by itself. */
        DIED
    }

    /** As a line from the child to its parent. */
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
