package io.teff.engine.codec.type;

import io.teff.engine.codec.Input;

/** Checks bits that mark null references. Generated code calls this too. */
public final class NullBits {
    private NullBits() {}

    /** Rejects set bits that belong to no reference. */
    public static void requireClear(int bits, int unused, Input in) {
        if ((bits & unused) != 0) {
            throw in.malformed("null bits of no field");
        }
    }
}
