package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** Kinds of files of a log with a page as head. */
public enum FileKind {
    /** The write buffer. */
    RING("TEFFRING"),
    /** A file of the primary log. */
    PRIMARY("TEFFPRIM"),
    /** A segment of a secondary log. */
    SEGMENT("TEFFSEGM");

    private final String name;
    private final long magic;

    FileKind(String name) {
        this.name = name;
        this.magic = magic(name);
    }

    /** Returns the number of eight letters that files of this kind begin with. */
    static long magic(String name) {
        return LittleEndian.getLong(MemorySegment.ofArray(name.getBytes(StandardCharsets.US_ASCII)), 0);
    }

    long magic() {
        return magic;
    }

    @Override
    public String toString() {
        return name;
    }
}
