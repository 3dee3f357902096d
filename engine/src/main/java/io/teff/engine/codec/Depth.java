package io.teff.engine.codec;

/** How deep values may lie inside of values of their own type. */
final class Depth {
    /** Levels of generated code, which calls itself. */
    static final int GENERATED_MAX = 64;
    /** Frames on the stack of {@link PartialWriter} and {@link PartialReader}. */
    static final int FRAMES_MAX = 20_000;

    private Depth() {}
}
