package io.teff.test.conformance;

import io.teff.cluster.ClusterFunction;
import io.teff.cluster.FunctionEntry;

/** A registered function that does what the first byte of its argument says, and breaks a rule with each. */
public final class Misuse implements ClusterFunction {
    static final byte THROWS_ERROR = 0;
    static final byte LONG_RESULT = 1;
    static final byte LONG_VALUE = 2;
    static final byte LONG_MESSAGE = 3;

    /** For the service loader. */
    public Misuse() {}

    @Override
    public String name() {
        return "misuse";
    }

    @Override
    public void call(FunctionEntry entry) {
        entry.put(new byte[entry.argument()[0] == LONG_VALUE ? 2_000_000 : 1]);
        switch (entry.argument()[0]) {
            case LONG_RESULT -> entry.result(new byte[RESULT_BYTES_MAX + 1]);
            case LONG_VALUE -> { }
            case LONG_MESSAGE -> throw new IllegalArgumentException("x".repeat(100_000));
            default -> throw new StackOverflowError("an error");
        }
    }

    /** A function whose class cannot be used. The others are in use nevertheless. */
    public static final class Unloadable implements ClusterFunction {
        /** Fails. */
        public Unloadable() {
            throw new IllegalStateException("lacks a library");
        }

        @Override
        public String name() {
            return "unloadable";
        }

        @Override
        public void call(FunctionEntry entry) {
            throw new AssertionError();
        }
    }
}
