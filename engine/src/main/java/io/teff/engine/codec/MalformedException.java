package io.teff.engine.codec;

import org.jspecify.annotations.Nullable;

/** Bytes that do not encode a value of the expected type: truncated, damaged, hostile, or written by another schema. */
public final class MalformedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Description of the fault, without its place. */
    private final String what;
    /** Bytes read before the fault. */
    private final int offset;

    /**
     * Makes an exception.
     *
     * @param offset bytes from the start of the window to the fault
     * @param what what is wrong there
     * @param cause exception of a constructor that rejected the values, or null
     */
    public MalformedException(int offset, String what, @Nullable Throwable cause) {
        super(what + " at offset " + offset, cause);
        this.what = what;
        this.offset = offset;
    }

    /**
     * Makes an exception for the same fault at another offset, such as that in an outer value.
     *
     * @param outerOffset bytes from the start of the outer value to the fault
     * @return the exception
     */
    public MalformedException at(int outerOffset) {
        return new MalformedException(outerOffset, what, getCause());
    }

    /**
     * Returns the place of the fault.
     *
     * @return bytes from the start of the window
     */
    public int offset() {
        return offset;
    }
}
