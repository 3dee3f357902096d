package io.teff.cluster.terminal.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The steps of the replacement of a secret, on the files of one machine. */
final class RotateCommandTest {
    private static final String OLD = "the old secret of nodes";

    @TempDir
    private Path folder;
    private final StringWriter output = new StringWriter();

    private int run(String... words) {
        PrintWriter writer = new PrintWriter(output, true);
        return new CommandLine(new RotateCommand()).setOut(writer).setErr(writer).execute(words);
    }

    private Path secret() throws Exception {
        Path file = Files.writeString(folder.resolve("secret"), OLD);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    @Test
    void steps_replaceTheSecret_andTheFileExistsAtEachMoment() throws Exception {
        Path file = secret();
        Path next = folder.resolve("secret.next");
        Path before = folder.resolve("secret.before");
        assertEquals(0, run(file.toString()), output::toString);
        assertEquals(OLD, Files.readString(file));
        String fresh = Files.readString(next);
        assertEquals(64, fresh.strip().length());

        assertEquals(0, run(file.toString(), "--unchecked"), output::toString);
        assertEquals(fresh, Files.readString(file));
        assertEquals(OLD, Files.readString(before));
        assertFalse(Files.exists(next));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(before)));

        assertEquals(0, run(file.toString(), "--unchecked"), output::toString);
        assertEquals(fresh, Files.readString(file));
        assertFalse(Files.exists(before));
    }

    @Test
    void newSecret_isThatOfAnotherFile() throws Exception {
        Path file = secret();
        Path chosen = Files.writeString(folder.resolve("chosen"), "a secret from another machine");
        assertEquals(0, run(file.toString(), "--new", chosen.toString()), output::toString);
        assertEquals("a secret from another machine", Files.readString(folder.resolve("secret.next")));
    }

    @Test
    void stepThatNeedsTheCluster_withoutAnAnswer_changesNothing() throws Exception {
        Path file = secret();
        assertEquals(0, run(file.toString()), output::toString);
        assertEquals(2, run(file.toString()), "without addresses");
        assertEquals(4, run(file.toString(), "--superpeers", "127.0.0.1:1", "--timeout", "0"), output::toString);
        assertTrue(output.toString().contains("nothing has changed"), output::toString);
        assertEquals(OLD, Files.readString(file));
    }
}
