package io.teff.engine.codec.bytes;

/** Limits of codecs that do not depend on a schema. */
public final class CodecLimits {
    /** Nesting levels up to which generated code calls itself; deeper values use an explicit stack on the heap. */
    public static final int RECURSION_LEVELS_MAX = 64;
    /** Nesting levels of one value in total: values inside values of the same type. */
    public static final int LEVELS_MAX = 20_000;
    /** Elements of one input that take no bytes; no length of the input bounds their number. */
    public static final int EMPTY_ELEMENTS_MAX = 100_000;

    private CodecLimits() {}
}
