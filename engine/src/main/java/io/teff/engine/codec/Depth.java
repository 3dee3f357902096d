package io.teff.engine.codec;

/** How deep values may lie inside of values of their own type. */
final class Depth {
    /** Levels of generated code, which calls itself. */
    static final int GENERATED_MAX = 64;
    /** Levels in all; beyond those of generated code a {@link PartialWriter} or {@link PartialReader} goes on. */
    static final int LEVELS_MAX = 20_000;

    private Depth() {}
}
