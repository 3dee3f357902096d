package io.teff.test.kit;

/**
 * The form in which a test runs: the short one of each {@code ./teff test}, or the long one of
 * {@code ./teff test --long}, which sets the property {@code teff.long}. docs/LANES.md lists the tests that differ.
 */
public final class Form {
    private static final boolean IS_LONG = Boolean.getBoolean("teff.long");

    private Form() {}

    /** Returns whether this is the long form. */
    public static boolean isLong() {
        return IS_LONG;
    }

    /** Returns the size of a test in this form. */
    public static int size(int inShortForm, int inLongForm) {
        return IS_LONG ? inLongForm : inShortForm;
    }

    /** Returns the size of a test: that of a property if it is set, else that of this form. */
    public static int size(String property, int inShortForm, int inLongForm) {
        return Integer.getInteger(property, size(inShortForm, inLongForm));
    }

    /** Returns the size of a test: that of a property if it is set, else that of this form. */
    public static long size(String property, long inShortForm, long inLongForm) {
        return Long.getLong(property, IS_LONG ? inLongForm : inShortForm);
    }
}
