package io.teff.test.kit;

/**
 * The form in which a test runs, which is the tier of the run: the gate ({@code ./teff test}), full
 * ({@code ./teff test --full}, which sets the property {@code teff.full}) or long ({@code ./teff test --long}, which
 * sets {@code teff.long}). docs/TIERS.md lists each size that differs between the forms.
 */
public final class Form {
    private static final boolean IS_LONG = Boolean.getBoolean("teff.long");
    private static final boolean IS_FULL = IS_LONG || Boolean.getBoolean("teff.full");

    private Form() {}

    /** Returns whether this is the long form. */
    public static boolean isLong() {
        return IS_LONG;
    }

    /** Returns whether this is the full form or the long one. */
    public static boolean isFull() {
        return IS_FULL;
    }

    /** Returns the size of a test in this form; gate and full have the same. */
    public static int size(int inShortForm, int inLongForm) {
        return size(inShortForm, inShortForm, inLongForm);
    }

    /** Returns the size of a test in this form. */
    public static int size(int inGate, int inFullForm, int inLongForm) {
        return IS_LONG ? inLongForm : IS_FULL ? inFullForm : inGate;
    }

    /** Returns the size of a test: that of a property if it is set, else that of this form. */
    public static int size(String property, int inShortForm, int inLongForm) {
        return size(property, inShortForm, inShortForm, inLongForm);
    }

    /** Returns the size of a test: that of a property if it is set, else that of this form. */
    public static int size(String property, int inGate, int inFullForm, int inLongForm) {
        return Integer.getInteger(property, size(inGate, inFullForm, inLongForm));
    }

    /** Returns the size of a test: that of a property if it is set, else that of this form. */
    public static long size(String property, long inShortForm, long inLongForm) {
        return size(property, inShortForm, inShortForm, inLongForm);
    }

    /** Returns the size of a test: that of a property if it is set, else that of this form. */
    public static long size(String property, long inGate, long inFullForm, long inLongForm) {
        return Long.getLong(property, IS_LONG ? inLongForm : IS_FULL ? inFullForm : inGate);
    }
}
