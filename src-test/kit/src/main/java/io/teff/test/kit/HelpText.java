package io.teff.test.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The texts that {@code ./teff COMMAND --help} prints. They are kept as files, so that the help needs no build, and
 * must be those of the programs. After a change of a command the same test writes them anew with
 * {@code -Dteff.help=write}.
 */
public final class HelpText {
    private static final String FOLDER = "src-test/launcher/help/";

    private HelpText() {}

    /**
     * Compares the kept text of a command with that of its program.
     *
     * @param command its words, as in {@code heap plan}
     * @param help the program's text
     * @throws AssertionError if they differ
     */
    public static void check(String command, String help) {
        final Path file = Project.file(FOLDER + command.replace(' ', '-') + ".txt");
        try {
            if ("write".equals(System.getProperty("teff.help"))) {
                Files.writeString(file, help);
            } else if (!Files.exists(file) || !Files.readString(file).equals(help)) {
                throw new AssertionError("the help of " + command + " has changed, or was never kept: run this test"
                    + " with -Dteff.help=write, which writes " + file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
