package io.teff.graph.formats;

import java.io.IOException;
import java.nio.file.Path;

/** A file of a graph is malformed: its name, the place, what was expected and what was found. */
public final class GraphFileException extends IOException {
    private static final long serialVersionUID = 1;

    private GraphFileException(String message) {
        super(message);
    }

    /** A fault in a line of a text, which has number 1 at first. */
    static GraphFileException atLine(Path file, long line, String expected, String found) {
        return new GraphFileException(file + ":" + line + ": expected " + expected + ", found " + found);
    }

    /** A fault at a byte of a binary file, which has offset 0 at first. */
    static GraphFileException atOffset(Path file, long offset, String expected, String found) {
        return new GraphFileException(file + ": offset " + offset + ": expected " + expected + ", found " + found);
    }

    /** A fault of the file as a whole. */
    static GraphFileException of(Path file, String expected, String found) {
        return new GraphFileException(file + ": expected " + expected + ", found " + found);
    }
}
