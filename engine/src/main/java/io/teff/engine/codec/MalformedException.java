package io.teff.engine.codec;

import org.jspecify.annotations.Nullable;

/** Bytes that are not those of a value of the expected type: cut off, damaged, hostile, or of another schema. */
public final class MalformedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What is wrong. */
    private final String what;
    /** Where reading stopped. */
    private final int offset;

    /**
     * Makes an exception.
     *
     * @param offset where reading stopped, in bytes from the beginning of the window
     * @param what what is wrong there
     * @param cause what a constructor threw that refused the values, or null
     */
    public MalformedException(int offset, String what, @Nullable Throwable cause) {
        super(what + " at offset " + offset, cause);
        this.what = what;
        this.offset = offset;
    }

    /** The same, seen from the beginning of the whole value. */
    MalformedException at(int offsetInAll) {
        return new MalformedException(offsetInAll, what, getCause());
    }

    /**
     * Tells where reading stopped.
     *
     * @return bytes from the beginning of the window
     */
    public int offset() {
        return offset;
    }
}
