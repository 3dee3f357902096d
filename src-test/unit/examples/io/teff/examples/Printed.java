package io.teff.examples;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Captures the output of a program by replacing {@code System.out}. Not for tests that run in parallel. */
public final class Printed {
    private Printed() {}

    /** The {@code main} of a program. */
    @FunctionalInterface
    public interface Program {
        /** Runs the program. */
        void main() throws Exception;
    }

    /** Runs a program; returns its standard output. */
    public static String by(Program program) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (PrintStream replaced = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            System.setOut(replaced);
            program.main();
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
