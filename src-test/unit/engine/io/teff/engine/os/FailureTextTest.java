package io.teff.engine.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.UnmappableCharacterException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the text of each failure has its reason, and its place if it has one.
 *
 * <p>Method: the exceptions of the system whose messages are null or have no reason, made and provoked.
 */
final class FailureTextTest {
    @TempDir
    private Path folder;

    @Test
    void failuresOfTheSystem_haveAReason() {
        final Map<String, @Nullable Throwable> all = new LinkedHashMap<>();
        all.put("f: there is no such file or folder", new NoSuchFileException("f"));
        all.put("f: permission denied", new AccessDeniedException("f"));
        all.put("f: it exists already", new FileAlreadyExistsException("f"));
        all.put("f: the folder is not empty", new DirectoryNotEmptyException("f"));
        all.put("f: it is not a folder", new NotDirectoryException("f"));
        all.put("f: NotLinkException", new NotLinkException("f"));
        all.put("f to g: Device busy", new FileSystemException("f", "g", "Device busy"));
        all.put("a file: FileSystemException", new FileSystemException(null));
        all.put("the thread was interrupted", new ClosedByInterruptException());
        all.put("another thread has closed the file or the connection", new AsynchronousCloseException());
        all.put("the file or the connection is closed", new ClosedChannelException());
        all.put("this process has locked it already", new OverlappingFileLockException());
        all.put("it ends too early", new EOFException());
        all.put("the bytes are no text in the encoding UTF-8", new MalformedInputException(1));
        all.put("a character is missing in the expected encoding", new UnmappableCharacterException(1));
        all.put("OutOfMemoryError: Java heap space", new OutOfMemoryError("Java heap space"));
        all.put("StackOverflowError", new StackOverflowError());
        all.put("TimeoutException", new TimeoutException());
        all.put("IOException: /a/path", new IOException("/a/path"));
        all.put("IOException: x: there is no such file or folder", new IOException(null, new NoSuchFileException("x")));
        all.put("y: permission denied", new UncheckedIOException(new AccessDeniedException("y")));
        all.put("z: it is not a folder",
            new CompletionException(new ExecutionException(new UncheckedIOException(new NotDirectoryException("z")))));
        all.put("what the project says", new IllegalStateException("what the project says"));
        all.put("the reason is not known", null);
        all.forEach((text, thrown) -> assertEquals(text, FailureText.of(thrown)));
    }

    @Test
    void longDescriptions_areShortened_toTheirBeginAndTheirDifference() {
        final String common = "enum Country(" + "ABCDEFGHI;".repeat(2_000);
        final String one = common + "LAST;MORE;" + "X".repeat(5_000) + ")";
        final String two = common + "LATE;)";
        final String shown = FailureText.excerpt(one, two);
        assertTrue(shown.length() <= FailureText.WHOLE_MAX, shown);
        assertTrue(shown.startsWith("enum Country(ABCDEFGHI;"), shown);
        assertTrue(shown.contains("LAST;MORE;X") && shown.endsWith(" ... (" + one.length() + " characters)"), shown);
        assertTrue(FailureText.excerpt(two, one).contains("LATE;) (" + two.length() + " characters)"));
        assertTrue(FailureText.excerpt(one, one).startsWith("enum Country("));
        assertEquals("enum Few(A;B;)", FailureText.excerpt("enum Few(A;B;)", one));
    }

    @Test
    void causesThatLeadBack_end() {
        final Exception one = new Exception((String) null);
        final Exception two = new Exception(null, one);
        final Exception loop = new CompletionException(two);
        one.initCause(loop);
        assertTrue(FailureText.of(loop).startsWith("Exception"), FailureText.of(loop));
    }

    @Test
    void provokedFailures_haveAReason() throws IOException {
        final Path missing = folder.resolve("missing");
        final Path file = Files.writeString(folder.resolve("file"), "text");
        assertReason(() -> FileChannel.open(missing), missing);
        assertReason(() -> Files.createFile(file), file);
        assertReason(() -> Files.createDirectory(file.resolve("below")), file);
        assertReason(() -> Files.delete(folder), folder);
        Thread.currentThread().interrupt();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        } catch (ClosedByInterruptException e) {
            assertEquals("the thread was interrupted", FailureText.of(e));
        } finally {
            assertTrue(Thread.interrupted());
        }
    }

    /** A step that fails. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    private static void assertReason(Step step, Path where) {
        try {
            step.run();
        } catch (IOException e) {
            final String text = FailureText.of(e);
            assertTrue(text.contains(where.toString()) && text.matches(".*: [A-Za-z][a-z ]{5,}"), text);
            return;
        }
        fail("it did not fail");
    }
}
